import 'server-only'
import { inJournal } from '#lib/commands/journal.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { recordFile } from './record.ts'
import { deleteStatement, type ListedStatement, lineCount, listStatements } from './statement-table.ts'

const LISTED_MAX = 50

/** The latest statements, whoever took them, newest first. */
export async function latestStatements(): Promise<ListedStatement[]> {
  return await listStatements(await store(), LISTED_MAX)
}

/** Takes a statement back, for example one whose columns were mapped wrongly. Null when it is gone, else why not. */
export async function discardStatement(session: Session, id: string): Promise<string | null> {
  const db = await store()
  const discarded = await inJournal(db, async (trx) => {
    const lines = await lineCount(trx, id)
    const statement = await deleteStatement(trx, id, session.actor)
    if (statement === undefined) return false
    await recordFile(trx, 'statement.discard', session, { ...statement, lines })
    return true
  })
  if (discarded) return null
  return 'Only who imported a statement can discard it, while nothing goes on with it and none of its lines was confirmed.'
}
