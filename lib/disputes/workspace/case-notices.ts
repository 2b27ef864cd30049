import 'server-only'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { appendNote, lockCommandsOf } from '#lib/commands/store.ts'
import { type Notice, notices } from '#lib/disputes/queue/queue.ts'
import { inJournal } from '#lib/journal/sequencer.ts'
import { store } from '#lib/store/store.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import type { Person } from './workspace.ts'

interface OfPerson {
  readonly actor: string
  /** In any case, as in all of this file. */
  readonly caseId: string
}

/** For rows of `case_index`. */
export const noticeIs = (notice: Notice, actor: string, sees: RawBuilder<boolean>) => {
  const of = notice === 'mentioned' ? sql`case_mention WHERE seen_at IS NULL AND` : sql`case_watch WHERE`
  return sql<boolean>`(${sees} AND id_key IN (SELECT case_id FROM ${of} actor = ${actor}))`
}

export const noticeColumns = (actor: string, sees: RawBuilder<boolean>) =>
  sql.join(notices.map((notice) => sql`${noticeIs(notice, actor, sees)} AS ${sql.ref(notice)}`))

export async function addMentions(
  trx: Trx,
  note: { readonly id: string; readonly caseId: string },
  people: readonly Person[],
): Promise<void> {
  if (people.length === 0) return
  const rows = people.map(({ actor, name }) => ({ actor, name, note_id: note.id, case_id: note.caseId.toLowerCase() }))
  await trx.insertInto('case_mention').values(rows).execute()
}

export interface MentionedPerson extends Person {
  readonly seen: boolean
}

export async function mentionsOf(
  db: Kysely<Tables>,
  caseId: string,
): Promise<ReadonlyMap<string, readonly MentionedPerson[]>> {
  const rows = await db
    .selectFrom('case_mention')
    .select(['note_id', 'actor', 'name', sql<boolean>`seen_at IS NOT NULL`.as('seen')])
    .where('case_id', '=', caseId.toLowerCase())
    .orderBy('name')
    .orderBy('actor')
    .execute()
  return Map.groupBy(rows, ({ note_id }) => note_id)
}

const notesOfOthers = (actor: string, caseId: string) =>
  sql<number>`(SELECT count(*)::int FROM case_note AS note WHERE note.case_id = ${caseId} AND note.author <> ${actor})`

/** The present state counts as seen. */
export async function putWatch(trx: Trx, { actor, caseId }: OfPerson, commandId: string): Promise<void> {
  const id = caseId.toLowerCase()
  const seen_holder = sql<string>`coalesce((SELECT holder FROM case_claim WHERE case_claim.case_id = ${id}), '')`
  await trx
    .insertInto('case_watch')
    .values({ actor, case_id: id, command_id: commandId, seen_holder, seen_notes: notesOfOthers(actor, id) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function dropWatch(trx: Trx, { actor, caseId }: OfPerson): Promise<void> {
  await trx.deleteFrom('case_watch').where('actor', '=', actor).where('case_id', '=', caseId.toLowerCase()).execute()
}

/** `notes`: of others, not seen. Null if not watched. */
export async function watchOf(
  db: Kysely<Tables>,
  { actor, caseId }: OfPerson,
): Promise<{ readonly notes: number } | null> {
  const id = caseId.toLowerCase()
  const notes = sql<number>`${notesOfOthers(actor, id)} - seen_notes`.as('notes')
  const watches = db.selectFrom('case_watch').select(notes).where('actor', '=', actor)
  return (await watches.where('case_id', '=', id).executeTakeFirst()) ?? null
}

/** With a case, only if it is resolved. Noted on the commands that began them. */
export async function endWatches(actor: string, why: string, caseId: string | null = null): Promise<void> {
  const db = await store()
  const which =
    caseId === null
      ? sql`true`
      : sql`case_id = (SELECT id_key FROM case_index WHERE id_key = ${caseId.toLowerCase()} AND status = 'RESOLVED')`
  const ofPerson = sql<boolean>`actor = ${actor} AND ${which}`
  if ((await db.selectFrom('case_watch').select('actor').where(ofPerson).executeTakeFirst()) === undefined) return
  await inJournal(db, async (trx) => {
    await lockCommandsOf(trx, 'case_watch', ofPerson)
    const ended = await trx.deleteFrom('case_watch').where(ofPerson).returning('command_id').execute()
    for (const { command_id } of ended) appendNote(trx, command_id, { ended: why })
  })
}

/** This note and all before it. A note of another case changes nothing. */
export async function recordNotesSeen(
  db: Kysely<Tables>,
  actor: string,
  caseId: string,
  noteId: string,
): Promise<void> {
  const id = caseId.toLowerCase()
  const upTo = sql`(note.at, note.id) <= (SELECT at, id FROM case_note WHERE id = ${noteId} AND case_id = ${id})`
  await sql`
    UPDATE case_mention SET seen_at = ${new Date().toISOString()} FROM case_note AS note
    WHERE note.id = note_id AND case_mention.case_id = ${id} AND actor = ${actor} AND seen_at IS NULL AND ${upTo}`.execute(
    db,
  )
  await sql`
    UPDATE case_watch SET seen_notes = seen.count FROM (
      SELECT count(*)::int AS count FROM case_note AS note
      WHERE note.case_id = ${id} AND note.author <> ${actor} AND ${upTo}) AS seen
    WHERE actor = ${actor} AND case_id = ${id} AND seen_notes < seen.count`.execute(db)
}

/** `holder`: an actor, or empty. Also for changes that the person made. */
export async function recordHolderSeen(db: Kysely<Tables>, { actor, caseId }: OfPerson, holder: string): Promise<void> {
  await db
    .updateTable('case_watch')
    .set({ seen_holder: holder })
    .where('actor', '=', actor)
    .where('case_id', '=', caseId.toLowerCase())
    .where('seen_holder', '<>', holder)
    .execute()
}

export interface StoredNotice {
  /** The first that the person has not seen. */
  readonly mention: { readonly by: string; readonly at: string } | null
  /** Null if not watched. `assignee`: null if unchanged, or the person; empty: unassigned. */
  readonly watch: { readonly assignee: string | null; readonly notes: number } | null
}

/** By lower-case case id. */
export async function noticesFor(db: Kysely<Tables>, actor: string): Promise<ReadonlyMap<string, StoredNotice>> {
  const { rows: mentions } = await sql<{ case_id: string; by: string; at: string }>`
    SELECT DISTINCT ON (case_mention.case_id) case_mention.case_id, author_name AS by, at
    FROM case_mention JOIN case_note ON id = note_id WHERE actor = ${actor} AND seen_at IS NULL
    ORDER BY case_mention.case_id, at, id`.execute(db)
  const { rows: watches } = await sql<{ case_id: string; assignee: string | null; notes: number }>`
    SELECT case_id, CASE WHEN coalesce(holder, '') NOT IN (seen_holder, actor) THEN coalesce(holder_name, '') END AS assignee,
      (SELECT count(*)::int FROM case_note AS note WHERE note.case_id = case_watch.case_id AND note.author <> actor)
        - seen_notes AS notes
    FROM case_watch LEFT JOIN case_claim USING (case_id) WHERE actor = ${actor}`.execute(db)
  const mentioned = new Map(mentions.map(({ case_id, by, at }) => [case_id, { by, at }]))
  const watched = new Map(watches.map(({ case_id, assignee, notes }) => [case_id, { assignee, notes }]))
  const ids = new Set([...mentioned.keys(), ...watched.keys()])
  return new Map([...ids].map((id) => [id, { mention: mentioned.get(id) ?? null, watch: watched.get(id) ?? null }]))
}
