import 'server-only'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { parseOutcome } from '#lib/commands/view.ts'
import type { DisputeMessage } from '#lib/contract/disputes.ts'
import { MESSAGE_LINE, orderKey, timeKey } from '#lib/disputes/thread/thread.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import { isSnoozed } from './workspace-tables.ts'

/** Null once a party wrote after the message. The parties are those of the index. */
export const dueAnswer = (caseId: RawBuilder<string>): RawBuilder<string | null> => sql<string | null>`(
  SELECT due.until FROM answer_deadline AS due WHERE due.case_id = ${caseId} AND NOT EXISTS (
    SELECT 1 FROM case_message AS m JOIN case_index AS i ON i.id_key = m.case_id
    WHERE m.case_id = due.case_id AND m.order_key > due.after_key
      AND m.author IN (lower(i.raised_by COLLATE "C"), lower(i.counterparty COLLATE "C"))))`

/** ISO 8601. */
export async function deadlineOf(db: Kysely<Tables>, caseId: string): Promise<string | null> {
  const { rows } = await sql<{ until: string | null }>`
    SELECT ${dueAnswer(sql<string>`${caseId.toLowerCase()}`)} AS until`.execute(db)
  return rows[0]?.until ?? null
}

interface SentMessage {
  readonly caseId: string
  readonly commandId: string
  readonly until: string
  /** Null if its answer is not known. */
  readonly message: DisputeMessage | null
}

/** The deadline of the message that was sent last counts. A snoozed case wakes then. */
export async function putDeadline(trx: Trx, { caseId, commandId, until, message }: SentMessage): Promise<void> {
  const id = caseId.toLowerCase()
  const command = await trx
    .selectFrom('command')
    .select(['sent_at', 'outcome'])
    .where('id', '=', commandId)
    .executeTakeFirst()
  const sentAt = command?.sent_at ?? new Date().toISOString()
  const after = message === null ? await keyOf(trx, id, command?.outcome ?? null) : orderKey(message)
  const due = { until, asked_at: sentAt, after_key: after ?? timeKey(sentAt), command_id: commandId }
  const put = await trx
    .insertInto('answer_deadline')
    .values({ case_id: id, ...due })
    .onConflict((conflict) =>
      conflict.column('case_id').doUpdateSet(due).whereRef('answer_deadline.asked_at', '<=', 'excluded.asked_at'),
    )
    .returning('case_id')
    .executeTakeFirst()
  if (put !== undefined)
    await trx.updateTable('case_snooze').set({ wake_at: until }).where('case_id', '=', id).where(isSnoozed()).execute()
}

/** Of the message that reconciliation found in the thread. */
async function keyOf(trx: Trx, caseId: string, outcome: string | null): Promise<string | null> {
  const found = outcome === null ? null : parseOutcome(outcome)
  const messageId = found?.class === 'done' ? found.lines.find(({ label }) => label === MESSAGE_LINE)?.value : undefined
  if (messageId === undefined) return null
  const row = await trx
    .selectFrom('case_message')
    .select('order_key')
    .where('case_id', '=', caseId)
    .where('message_id', '=', messageId.toLowerCase())
    .executeTakeFirst()
  return row?.order_key ?? null
}

/** A snooze goes on until its own end. */
export async function dropDeadline(trx: Trx, caseId: string): Promise<void> {
  const id = caseId.toLowerCase()
  await trx.deleteFrom('answer_deadline').where('case_id', '=', id).execute()
  await trx
    .updateTable('case_snooze')
    .set({ wake_at: null })
    .where('case_id', '=', id)
    .where('wake_at', '>', new Date().toISOString())
    .execute()
}
