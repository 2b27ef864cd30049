import 'server-only'
import type { Kysely } from 'kysely'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import { discardStatement } from './statement-list.ts'

const KEPT_MS = 14 * 24 * 60 * 60_000

export async function keepFile(trx: Trx, statementId: string, bytes: Uint8Array): Promise<void> {
  await trx.insertInto('statement_file').values({ statement_id: statementId, bytes }).execute()
}

export interface KeptFile {
  readonly id: string
  readonly fileName: string
}

/** The file of this person's statement, unless a confirmation was made from one of its lines, or may have been. */
const keptFile = async (session: Session, id: string) =>
  (await store())
    .selectFrom('statement_file')
    .innerJoin('statement', 'statement.id', 'statement_id')
    .where('statement.id', '=', id)
    .where('owner', '=', session.actor)
    .where('discarded_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('statement_line as line')
            .innerJoin('command', 'command.id', 'line.command_id')
            .select('line.number')
            .whereRef('line.statement_id', '=', 'statement.id')
            .where('command.state', 'not in', ['draft', 'challenged', 'refused', 'not_applied', 'closed']),
        ),
      ),
    )

/** Null if the columns of this statement cannot be mapped again. */
export async function findKeptFile(session: Session, id: string): Promise<KeptFile | null> {
  const row = await (await keptFile(session, id)).select(['statement.id', 'file_name']).executeTakeFirst()
  return row === undefined ? null : { id: row.id, fileName: row.file_name }
}

export async function readKeptFile(session: Session, id: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const row = await (await keptFile(session, id)).select('bytes').executeTakeFirst()
  return row === undefined ? null : new Uint8Array(row.bytes)
}

const TOO_LATE =
  'The columns can no longer be mapped again: the file is no longer kept, or a confirmation was started from a line.'

/** Discards a statement that is imported again with other columns. In words if it must stay. */
export const discardForMapping = async (session: Session, id: string): Promise<string | null> =>
  (await findKeptFile(session, id)) === null ? TOO_LATE : await discardStatement(session, id)

/** Files of statements with a confirmed deposit, and those of two weeks ago. */
export async function eraseKeptFiles(given?: Kysely<Tables>): Promise<void> {
  const db = given ?? (await store())
  const tooOld = new Date(Date.now() - KEPT_MS).toISOString()
  await db
    .deleteFrom('statement_file as file')
    .where(({ or, exists, selectFrom }) =>
      or([
        exists(
          selectFrom('statement_line as line')
            .innerJoin('command', 'command.id', 'line.command_id')
            .select('line.number')
            .whereRef('line.statement_id', '=', 'file.statement_id')
            .where('command.state', 'in', ['done', 'applied']),
        ),
        exists(
          selectFrom('statement')
            .select('id')
            .whereRef('statement.id', '=', 'file.statement_id')
            .where('taken_at', '<', tooOld),
        ),
      ]),
    )
    .execute()
}
