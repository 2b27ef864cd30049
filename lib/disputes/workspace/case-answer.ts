import 'server-only'
import { sql } from 'kysely'
import { store } from '#lib/store/store.ts'
import { messagesBeforeAnswer, wakeOnMessage } from './snooze-table.ts'

export const waitsForAnswer = async (caseId: string): Promise<boolean> =>
  (await messagesBeforeAnswer(await store(), caseId)) !== null

export async function wakeIfAnswered(caseId: string): Promise<void> {
  const db = await store()
  const before = await messagesBeforeAnswer(db, caseId)
  if (before === null) return
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM case_message JOIN case_index ON id_key = case_id
    WHERE case_id = ${caseId.toLowerCase()} AND author IN (lower(raised_by), lower(counterparty))`.execute(db)
  if ((rows[0]?.count ?? 0) > before) await wakeOnMessage(caseId)
}
