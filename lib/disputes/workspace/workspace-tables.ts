import 'server-only'
import { type Insertable, type Kysely, type Selectable, sql } from 'kysely'
import { ERASED } from '#lib/commands/row.ts'
import { appendNote, lockCommandsOf } from '#lib/commands/store.ts'
import { inJournal } from '#lib/journal/sequencer.ts'
import { countRows, databaseNow, store } from '#lib/store/store.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import type { Claim, Person, Snooze } from './workspace.ts'

const claimIn = (row: Selectable<Tables['case_claim']>): Claim => ({
  caseId: row.case_id,
  holder: row.holder,
  holderName: row.holder_name,
  since: row.since,
})

/** By lower-case id; ids in any case. */
export async function claimsOf(db: Kysely<Tables>, caseIds: readonly string[]): Promise<ReadonlyMap<string, Claim>> {
  if (caseIds.length === 0) return new Map()
  const rows = await db.selectFrom('case_claim').selectAll().where(isAmongCases(caseIds)).execute()
  return new Map(rows.map((row) => [row.case_id, claimIn(row)]))
}

export const claimOf = async (db: Kysely<Tables>, caseId: string): Promise<Claim | null> =>
  (await claimsOf(db, [caseId])).get(caseId.toLowerCase()) ?? null

/** The caller holds the claim's lock. */
export async function putClaim(
  trx: Trx,
  { caseId, holder, holderName, since }: Claim,
  commandId: string,
): Promise<void> {
  await dropSnoozes(trx, [caseId])
  const claim = { holder, holder_name: holderName, since, command_id: commandId }
  await trx
    .insertInto('case_claim')
    .values({ case_id: caseId.toLowerCase(), ...claim })
    .onConflict((conflict) => conflict.column('case_id').doUpdateSet(claim))
    .execute()
}

export async function dropClaim(trx: Trx, caseId: string): Promise<void> {
  await dropSnoozes(trx, [caseId])
  await trx.deleteFrom('case_claim').where('case_id', '=', caseId.toLowerCase()).execute()
}

export const RESOLVED_END = 'the case is resolved'

/** Applies to cases that anyone resolved. The end is noted on the command that made the claim. */
export async function endClaims(db: Kysely<Tables>, resolvedIds: readonly string[]): Promise<void> {
  // Usually there is no claim, so no lock is taken.
  if ((await claimsOf(db, resolvedIds)).size === 0) return
  const isResolved = isAmongCases(resolvedIds)
  await inJournal(db, async (trx) => {
    await lockCommandsOf(trx, 'case_claim', isResolved)
    await dropSnoozes(trx, resolvedIds)
    const ended = await trx.deleteFrom('case_claim').where(isResolved).returningAll().execute()
    for (const { command_id, holder_name } of ended) {
      appendNote(trx, command_id, { ended: RESOLVED_END, holder: holder_name })
    }
  })
}

const isAmongCases = (ids: readonly string[]) =>
  sql<boolean>`case_id = ANY(${ids.map((id) => id.toLowerCase())}::text[])`

/** Old snoozes have no date. If a party writes, {@link wakeOnMessage} removes any. */
export const isSnoozed = (nowMs = Date.now()) =>
  sql<boolean>`coalesce(${snoozeEnd} > ${new Date(nowMs).toISOString()}, true)`

/** A case also wakes when an answer is due; a null is ignored. */
export const snoozeEnd = sql<string | null>`least(case_snooze.until, case_snooze.wake_at)`

/** By lower-case id; ids in any case. */
export async function snoozesOf(db: Kysely<Tables>, caseIds: readonly string[]): Promise<ReadonlyMap<string, Snooze>> {
  if (caseIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('case_snooze')
    .select(['case_id', snoozeEnd.as('until')])
    .where(isAmongCases(caseIds))
    .where(isSnoozed())
    .execute()
  return new Map(rows.map(({ case_id, until }) => [case_id, { until }]))
}

/** The caller holds the claim's lock. `messages`: by the parties so far. */
export async function putSnooze(
  trx: Trx,
  caseId: string,
  snooze: Omit<Insertable<Tables['case_snooze']>, 'case_id'>,
): Promise<void> {
  await trx
    .insertInto('case_snooze')
    .values({ case_id: caseId.toLowerCase(), ...snooze })
    .onConflict((conflict) => conflict.column('case_id').doUpdateSet(snooze))
    .execute()
}

export async function dropSnoozes(trx: Trx, caseIds: readonly string[]): Promise<void> {
  await trx.deleteFrom('case_snooze').where(isAmongCases(caseIds)).execute()
}

async function messagesBeforeSnooze(db: Kysely<Tables>, caseId: string): Promise<number | null> {
  const snoozed = db.selectFrom('case_snooze').select('messages').where(isSnoozed())
  return (await snoozed.where('case_id', '=', caseId.toLowerCase()).executeTakeFirst())?.messages ?? null
}

/** The end is noted on the command that snoozed the case. */
export async function wakeOnMessage(caseId: string): Promise<void> {
  const db = await store()
  if ((await messagesBeforeSnooze(db, caseId)) === null) return
  await inJournal(db, async (trx) => {
    await lockCommandsOf(trx, 'case_snooze', sql`case_id = ${caseId.toLowerCase()}`)
    const woken = await trx
      .deleteFrom('case_snooze')
      .where('case_id', '=', caseId.toLowerCase())
      .where(isSnoozed())
      .returning('command_id')
      .execute()
    for (const { command_id } of woken) appendNote(trx, command_id, { ended: 'a party of the case wrote' })
  })
}

export const isCaseSnoozed = async (caseId: string): Promise<boolean> =>
  (await messagesBeforeSnooze(await store(), caseId)) !== null

export async function wakeIfAnswered(caseId: string): Promise<void> {
  const db = await store()
  const before = await messagesBeforeSnooze(db, caseId)
  if (before !== null && (await countPartyMessages(db, caseId)) > before) await wakeOnMessage(caseId)
}

async function countPartyMessages(db: Kysely<Tables>, caseId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM case_message JOIN case_index ON id_key = case_id
    WHERE case_id = ${caseId.toLowerCase()} AND author IN (lower(raised_by), lower(counterparty))`.execute(db)
  return rows[0]?.count ?? 0
}

/** A message that is stored later finds what this transaction writes. `before`: messages by the parties. */
export async function hasPartyWrittenSince(trx: Trx, caseId: string, before: number): Promise<boolean> {
  // Storing a message locks this row too.
  await trx
    .selectFrom('case_thread')
    .select('case_id')
    .where('case_id', '=', caseId.toLowerCase())
    .forUpdate()
    .execute()
  return (await countPartyMessages(trx, caseId)) > before
}

export type CaseNoteRow = Selectable<Tables['case_note']>

/** The database forbids changing a note, other than to erase it. */
export async function addNote(trx: Trx, note: Insertable<Tables['case_note']>): Promise<void> {
  await trx
    .insertInto('case_note')
    .values({ ...note, case_id: note.case_id.toLowerCase() })
    .execute()
}

export async function eraseNote(trx: Trx, { id }: { readonly id: string }): Promise<void> {
  await trx.updateTable('case_note').set({ text: ERASED }).where('id', '=', id).execute()
}

export async function latestNotes(db: Kysely<Tables>, caseId: string, most: number) {
  const ofCase = db.selectFrom('case_note').where('case_id', '=', caseId.toLowerCase())
  const [notes, total] = await Promise.all([
    ofCase.selectAll().orderBy('at', 'desc').orderBy('id', 'desc').limit(most).execute(),
    countRows(ofCase),
  ])
  return { notes: notes.reverse(), earlier: total - notes.length }
}

/** A viewer of a dead process disappears after this time. */
const LEASE_SECONDS = 30

interface Viewer extends Person {
  readonly streamId: string
  readonly caseId: string
}

export async function putViewer(db: Kysely<Tables>, { streamId, caseId, actor, name }: Viewer): Promise<void> {
  const ends_at = sql<number>`${databaseNow} + ${LEASE_SECONDS}`
  await db
    .insertInto('case_viewer')
    .values({ stream_id: streamId, case_id: caseId.toLowerCase(), actor, name, ends_at })
    .onConflict((conflict) => conflict.column('stream_id').doUpdateSet({ ends_at }))
    .execute()
}

/** Returns the streams whose lease had not expired. */
export async function renewViewers(db: Kysely<Tables>, streamIds: readonly string[]): Promise<ReadonlySet<string>> {
  const renewed = await db
    .updateTable('case_viewer')
    .set({ ends_at: sql<number>`${databaseNow} + ${LEASE_SECONDS}` })
    .where('stream_id', '=', sql<string>`ANY(${streamIds}::text[])`)
    .returning('stream_id')
    .execute()
  return new Set(renewed.map(({ stream_id }) => stream_id))
}

/** Also removes expired viewers. */
export async function dropViewer(db: Kysely<Tables>, streamId: string): Promise<void> {
  await db
    .deleteFrom('case_viewer')
    .where(({ or, eb }) => or([eb('stream_id', '=', streamId), eb('ends_at', '<', databaseNow)]))
    .execute()
}

export const viewersOf = async (db: Kysely<Tables>, caseId: string): Promise<readonly Person[]> =>
  await db
    .selectFrom('case_viewer')
    .select(({ fn }) => ['actor', fn.max('name').as('name')])
    .where('case_id', '=', caseId.toLowerCase())
    .where('ends_at', '>', databaseNow)
    .groupBy('actor')
    .orderBy('name')
    .orderBy('actor')
    .execute()
