import 'server-only'
import { sql } from 'kysely'
import { partyMessages } from '#lib/disputes/thread/thread.ts'
import { readWholeThread } from '#lib/disputes/thread/whole-thread.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { messagesBeforeAnswer, wakeOnMessage } from './snooze-table.ts'

/** Wakes a case that is snoozed until an answer, if its thread has one; a thread that cannot be read wakes nothing. */
export async function wakeIfAnswered(session: Session, caseId: string): Promise<void> {
  const before = await messagesBeforeAnswer(await store(), caseId)
  if (before === null) return
  const thread = await readWholeThread(session, caseId)
  if (thread.ok && partyMessages(thread.value) > before) await wakeOnMessage(caseId)
}

/** {@link wakeIfAnswered} by what this console has noted of the thread, for a case that is open on no screen. */
export async function wakeIfAnswerNoted(caseId: string): Promise<void> {
  const db = await store()
  const before = await messagesBeforeAnswer(db, caseId)
  if (before === null) return
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM case_message JOIN case_index ON id_key = case_id
    WHERE case_id = ${caseId.toLowerCase()} AND author IN (lower(raised_by), lower(counterparty))`.execute(db)
  if ((rows[0]?.count ?? 0) > before) await wakeOnMessage(caseId)
}
