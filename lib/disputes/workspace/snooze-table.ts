import 'server-only'
import { type Kysely, sql } from 'kysely'
import { inJournal } from '#lib/commands/journal/append.ts'
import { appendNote } from '#lib/commands/store.ts'
import { store } from '#lib/store/store.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import type { Snooze } from './workspace.ts'

const lower = (ids: readonly string[]): string[] => ids.map((id) => id.toLowerCase())

/** By lower-case id; ids in any case. */
export async function snoozesOf(db: Kysely<Tables>, caseIds: readonly string[]): Promise<ReadonlyMap<string, Snooze>> {
  if (caseIds.length === 0) return new Map()
  const now = new Date().toISOString()
  const rows = await db
    .selectFrom('case_snooze')
    .select(['case_id', 'until'])
    .where('case_id', '=', sql<string>`ANY(${lower(caseIds)}::text[])`)
    .where((eb) => eb.or([eb('until', 'is', null), eb('until', '>', now)]))
    .execute()
  return new Map(rows.map(({ case_id, until }) => [case_id, { until }]))
}

/** The caller holds the claim's lock. `messages`: by the parties so far. */
export async function putSnooze(
  trx: Trx,
  caseId: string,
  snooze: { readonly until: string | null; readonly messages: number; readonly command_id: string },
): Promise<void> {
  await trx
    .insertInto('case_snooze')
    .values({ case_id: caseId.toLowerCase(), ...snooze })
    .onConflict((conflict) => conflict.column('case_id').doUpdateSet(snooze))
    .execute()
}

export async function dropSnoozes(trx: Trx, caseIds: readonly string[]): Promise<void> {
  await trx
    .deleteFrom('case_snooze')
    .where('case_id', '=', sql<string>`ANY(${lower(caseIds)}::text[])`)
    .execute()
}

export async function messagesBeforeAnswer(db: Kysely<Tables>, caseId: string): Promise<number | null> {
  const waiting = db.selectFrom('case_snooze').select('messages').where('until', 'is', null)
  const row = await waiting.where('case_id', '=', caseId.toLowerCase()).executeTakeFirst()
  return row?.messages ?? null
}

/** The end is noted on the command that snoozed the case. */
export async function wakeOnMessage(caseId: string): Promise<void> {
  const db = await store()
  if ((await messagesBeforeAnswer(db, caseId)) === null) return
  await inJournal(db, async (trx) => {
    const woken = await trx
      .deleteFrom('case_snooze')
      .where('case_id', '=', caseId.toLowerCase())
      .where('until', 'is', null)
      .returning('command_id')
      .execute()
    for (const { command_id } of woken) appendNote(trx, command_id, { ended: 'a party of the case wrote' })
  })
}
