import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Page } from '#sandbox/http/page.ts'
import type { Db, Trx } from '#sandbox/world/tables.ts'
import type { MessageRow } from './wire.ts'

export const pageOfThread = (db: Db, caseId: string, page: Page): Promise<MessageRow[]> =>
  db
    .selectFrom('dispute_message')
    .selectAll()
    .where('case_id', '=', caseId)
    .orderBy('position')
    .limit(page.pageSize)
    .offset((page.page - 1) * page.pageSize)
    .execute()

/** Positions have no gaps, so the last one is the count. */
export async function lengthOfThread(db: Db, caseId: string): Promise<number> {
  const { length } = await db
    .selectFrom('dispute_message')
    .select(({ fn }) => fn.coalesce(fn.max('position'), sql<number>`0`).as('length'))
    .where('case_id', '=', caseId)
    .executeTakeFirstOrThrow()
  return length
}

export interface NewMessage {
  readonly caseId: string
  readonly senderUserId: string | null
  readonly body: string
  readonly at: string
}

/** The case must be locked, or two messages could get the same position. */
export async function appendMessage(trx: Trx, message: NewMessage): Promise<MessageRow> {
  const position = (await lengthOfThread(trx, message.caseId)) + 1
  return await trx
    .insertInto('dispute_message')
    .values({
      id: randomUUID(),
      case_id: message.caseId,
      position,
      sender_user_id: message.senderUserId,
      body: message.body,
      created_at: message.at,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}
