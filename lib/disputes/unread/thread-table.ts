import 'server-only'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { errorName, log } from '#lib/config/log.ts'
import { perProcess } from '#lib/config/per-process.ts'
import type { CaseEvent } from '#lib/disputes/live/case-stream.ts'
import { messageKey, orderKey, type ThreadMessage } from '#lib/disputes/thread/thread.ts'
import { wakeIfAnswered } from '#lib/disputes/workspace/workspace-tables.ts'
import { databaseNow, store, wasRefused } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { schedule } from '#lib/stream/schedule.ts'
import type { CasesBeyond } from './assigned-cases.ts'
import type { Writer } from './thread-state.ts'

const NEVER = 0

/** Stores authors and times; no text, no system messages. */
export async function rememberMessages(
  db: Kysely<Tables>,
  caseId: string,
  messages: readonly ThreadMessage[],
): Promise<void> {
  const written = messages
    .flatMap((message) => {
      const author = message.isSystemMessage ? null : message.senderUserId
      return author === null ? [] : [{ id: messageKey(message), author: author.toLowerCase(), key: orderKey(message) }]
    })
    // Sorted, so that two writers lock rows in the same order and cannot deadlock.
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
  const byTime = written.toSorted((one, other) => (one.key < other.key ? 1 : -1))
  const [last] = byTime
  if (last === undefined) return
  const other = byTime.find(({ author }) => author !== last.author)
  const columnOf = (name: 'id' | 'author' | 'key') => written.map((message) => message[name])
  await sql`
    WITH added AS (
      INSERT INTO case_message (case_id, message_id, author, order_key)
      SELECT ${caseId.toLowerCase()}, * FROM unnest(${columnOf('id')}::text[], ${columnOf('author')}::text[], ${columnOf('key')}::text[])
      ON CONFLICT DO NOTHING)
    INSERT INTO case_thread AS known (case_id, read_at, last_key, last_author, other_key)
    VALUES (${caseId.toLowerCase()}, ${NEVER}, ${last.key}, ${last.author}, ${other?.key ?? null})
    ON CONFLICT (case_id) DO UPDATE SET last_key = greatest(known.last_key, excluded.last_key),
      last_author = CASE WHEN known.last_key > excluded.last_key THEN known.last_author ELSE excluded.last_author END,
      other_key = greatest(known.other_key, excluded.other_key,
        CASE WHEN known.last_author <> excluded.last_author THEN least(known.last_key, excluded.last_key) END)
    WHERE known.last_key IS NULL OR known.last_key < excluded.last_key
      OR excluded.other_key > coalesce(known.other_key, '')
      OR known.last_author <> excluded.last_author AND excluded.last_key > coalesce(known.other_key, '')`.execute(db)
}

const putThread = (db: Kysely<Tables>, caseId: string, columns: { payer: string } | { read_at: RawBuilder<number> }) =>
  db
    .insertInto('case_thread')
    .values({ case_id: caseId.toLowerCase(), read_at: NEVER, ...columns })
    .onConflict((conflict) => conflict.column('case_id').doUpdateSet(columns))
    .execute()

export const recordReading = (db: Kysely<Tables>, caseId: string): Promise<unknown> =>
  putThread(db, caseId, { read_at: databaseNow })

export const savePayer = (db: Kysely<Tables>, caseId: string, payer: string): Promise<unknown> =>
  putThread(db, caseId, { payer: payer.toLowerCase() })

/** Never moves back, whatever the order of tabs. */
export async function recordSeen(
  db: Kysely<Tables>,
  actor: string,
  caseId: string,
  message: Pick<ThreadMessage, 'id' | 'createdAt'>,
): Promise<void> {
  await sql`
    INSERT INTO case_reader (actor, case_id, last_key)
    SELECT ${actor}, case_id, ${orderKey(message)} FROM case_thread WHERE case_id = ${caseId.toLowerCase()}
    ON CONFLICT (actor, case_id) DO UPDATE SET last_key = greatest(case_reader.last_key, excluded.last_key)`.execute(db)
}

/** This message and all after it are unread again. */
export async function recordUnread(
  db: Kysely<Tables>,
  actor: string,
  caseId: string,
  message: Pick<ThreadMessage, 'id' | 'createdAt'>,
): Promise<void> {
  const [id, key] = [caseId.toLowerCase(), orderKey(message)]
  await sql`
    UPDATE case_reader SET last_key = least(last_key, coalesce(
      (SELECT max(order_key) FROM case_message WHERE case_id = ${id} AND order_key < ${key}), ''))
    WHERE actor = ${actor} AND case_id = ${id}`.execute(db)
}

/** The sort key of the last message that this person has seen; null if none. */
export async function lastSeenIn(db: Kysely<Tables>, actor: string, caseId: string): Promise<string | null> {
  const row = await db
    .selectFrom('case_reader')
    .select('last_key')
    .where('actor', '=', actor)
    .where('case_id', '=', caseId.toLowerCase())
    .executeTakeFirst()
  return row?.last_key ?? null
}

export interface KnownThread {
  readonly payer: string | null
  readonly ageSeconds: number
  readonly writers: readonly Writer[]
}

/** By lower-case id. Omits threads that were never read. */
export async function knownThreads(
  db: Kysely<Tables>,
  actor: string,
  caseIds: readonly string[],
): Promise<ReadonlyMap<string, KnownThread>> {
  if (caseIds.length === 0) return new Map()
  const ids = caseIds.map((id) => id.toLowerCase())
  const { rows: threads } = await sql<{ case_id: string; payer: string | null; age: number }>`
    SELECT case_id, payer, (${databaseNow} - read_at)::double precision AS age
    FROM case_thread WHERE case_id = ANY(${ids}::text[]) AND read_at > ${NEVER}`.execute(db)
  const { rows: writers } = await sql<{ case_id: string; author: string; last_key: string; unread: number }>`
    SELECT m.case_id, m.author, max(m.order_key) AS last_key,
      (count(*) FILTER (WHERE r.last_key IS NULL OR m.order_key > r.last_key))::int AS unread
    FROM case_message m LEFT JOIN case_reader r ON r.case_id = m.case_id AND r.actor = ${actor}
    WHERE m.case_id = ANY(${ids}::text[]) GROUP BY m.case_id, m.author`.execute(db)
  const byCase = Map.groupBy(writers, ({ case_id }) => case_id)
  return new Map(
    threads.map(({ case_id, payer, age }) => [
      case_id,
      {
        payer,
        ageSeconds: age,
        writers: (byCase.get(case_id) ?? []).map((row) => ({
          userId: row.author,
          lastKey: row.last_key,
          unread: row.unread,
        })),
      },
    ]),
  )
}

/** With unseen mentions first, then the latest assigned, then watched ones. `more`: beyond `most`. */
export async function casesOf(
  db: Kysely<Tables>,
  actor: string,
  most: number,
): Promise<{ readonly ids: readonly string[]; readonly more: CasesBeyond }> {
  const { rows } = await sql<{ case_id: string; assigned: boolean; all_assigned: number; total: number }>`
    SELECT case_id, assigned, (count(*) FILTER (WHERE assigned) OVER ())::int AS all_assigned,
      (count(*) OVER ())::int AS total
    FROM (
      SELECT case_id, min(rank) AS rank, max(since) AS since, bool_or(rank = 1) AS assigned FROM (
        SELECT case_id, 0 AS rank, '' AS since FROM case_mention WHERE actor = ${actor} AND seen_at IS NULL
        UNION ALL SELECT case_id, 1, since FROM case_claim WHERE holder = ${actor}
        UNION ALL SELECT case_id, 2, '' FROM case_watch WHERE actor = ${actor}) AS each_one
      GROUP BY case_id) AS own
    ORDER BY rank, since DESC, case_id LIMIT ${most}`.execute(db)
  const assigned = rows.filter((row) => row.assigned).length
  const { all_assigned = 0, total = 0 } = rows[0] ?? {}
  const more = { assigned: all_assigned - assigned, watched: total - all_assigned - (rows.length - assigned) }
  return { ids: rows.map(({ case_id }) => case_id), more }
}

/** Never rejects. */
export const recordThread = (caseId: string, messages: readonly ThreadMessage[]): Promise<unknown> =>
  note(caseId, messages, true)

export const recordMessages = (caseId: string, messages: readonly ThreadMessage[]): Promise<unknown> =>
  note(caseId, messages, false)

/** The embedded database blocks the process while it writes, so browsers get the message first. */
const NOTE_AFTER_MS = 100
const AFTER_FAILURE_MS = 5_000

interface Unnoted {
  whole: boolean
  readonly messages: Map<string, ThreadMessage>
}

const unnoted = () => perProcess('messages to note', () => new Map<string, Unnoted>())

/** Combines events, so that a message is stored once for all sessions. */
export function recordEventSoon(caseId: string, event: CaseEvent): void {
  if (event.type !== 'snapshot' && event.type !== 'messages') return
  noteSoon(caseId.toLowerCase(), event.messages, event.type === 'snapshot', NOTE_AFTER_MS)
}

function noteSoon(id: string, messages: readonly ThreadMessage[], whole: boolean, afterMs: number): void {
  const waiting = unnoted().get(id) ?? { whole: false, messages: new Map() }
  waiting.whole ||= whole
  for (const message of messages) waiting.messages.set(messageKey(message), message)
  if (unnoted().has(id)) return
  unnoted().set(id, waiting)
  schedule(afterMs, () => {
    unnoted().delete(id)
    const all = [...waiting.messages.values()]
    void note(id, all, waiting.whole).then((isOver) => {
      if (!isOver) noteSoon(id, all, waiting.whole, AFTER_FAILURE_MS)
    })
  })
}

async function note(caseId: string, messages: readonly ThreadMessage[], whole: boolean): Promise<boolean> {
  try {
    const db = await store()
    await rememberMessages(db, caseId, messages)
    if (whole) await recordReading(db, caseId)
    await wakeIfAnswered(caseId)
    return true
  } catch (error) {
    log().error({ event: 'case-threads', error: errorName(error) })
    return wasRefused(error)
  }
}
