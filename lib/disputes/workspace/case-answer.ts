import 'server-only'
import { sql } from 'kysely'
import { store } from '#lib/store/store.ts'
import { messagesBeforeAnswer, wakeOnMessage } from './snooze-table.ts'

/** Whether a case is snoozed until one of its parties writes. */
export const waitsForAnswer = async (caseId: string): Promise<boolean> =>
  (await messagesBeforeAnswer(await store(), caseId)) !== null

/** Wakes a case that is snoozed until an answer, if the messages that this console has noted of its thread have one. */
export async function wakeIfAnswered(caseId: string): Promise<void> {
  const db = await store()
  const before = await messagesBeforeAnswer(db, caseId)
  if (before === null) return
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM case_message JOIN case_index ON id_key = case_id
    WHERE case_id = ${caseId.toLowerCase()} AND author IN (lower(raised_by), lower(counterparty))`.execute(db)
  if ((rows[0]?.count ?? 0) > before) await wakeOnMessage(caseId)
}
