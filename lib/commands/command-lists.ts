import 'server-only'
import { type Kysely, type Selectable, sql } from 'kysely'
import { DEAD_AFTER_SECONDS } from '#lib/store/heartbeat.ts'
import type { Tables } from '#lib/store/tables.ts'
import type { CommandRow } from './command-table.ts'

export type EventRow = Selectable<Tables['command_event']>

/** What a person sent since a time (ISO 8601), newest first. */
export function findSentBy(db: Kysely<Tables>, actor: string, since: string, limit: number): Promise<CommandRow[]> {
  return db
    .selectFrom('command')
    .selectAll()
    .where('actor', '=', actor)
    .where('sent_at', '>=', since)
    .orderBy('sent_at', 'desc')
    .limit(limit)
    .execute()
}

/** What a person sent of one kind about one target and nobody knows the end of, the oldest first. */
export function findOpenOf(db: Kysely<Tables>, actor: string, kind: string, target: string): Promise<CommandRow[]> {
  return db
    .selectFrom('command')
    .selectAll()
    .where('actor', '=', actor)
    .where('kind', '=', kind)
    .where('target', '=', target)
    .where('state', 'in', ['sent', 'unknown', 'accepted'])
    .orderBy('sent_at')
    .execute()
}

const EFFECTIVE = ['done', 'applied'] as const

/** One page of the commands of a kind that took effect, newest first, and how many there are. */
export async function findEffectivePage(
  db: Kysely<Tables>,
  /** `actor`: whose; null for everybody's. */
  { kind, actor }: { readonly kind: string; readonly actor: string | null },
  { page, size }: { readonly page: number; readonly size: number },
): Promise<{ readonly commands: CommandRow[]; readonly total: number }> {
  const wanted = db
    .selectFrom('command')
    .where('kind', '=', kind)
    .where('state', 'in', EFFECTIVE)
    .$if(actor !== null, (query) => query.where('actor', '=', actor))
  const [commands, { total }] = await Promise.all([
    wanted
      .selectAll()
      .orderBy('sent_at', 'desc')
      .orderBy('id')
      .limit(size)
      .offset((page - 1) * size)
      .execute(),
    wanted.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ])
  return { commands, total }
}

/** Every change of one command's state, in order. */
export function findEvents(db: Kysely<Tables>, commandId: string): Promise<EventRow[]> {
  return db.selectFrom('command_event').selectAll().where('command_id', '=', commandId).orderBy('sequence').execute()
}

/** The latest command of a kind about a target that took effect, however that became known. Ids in any case. */
export function findEffective(db: Kysely<Tables>, kind: string, target: string): Promise<CommandRow | undefined> {
  return db
    .selectFrom('command')
    .selectAll()
    .where('target', 'in', [target, target.toLowerCase(), target.toUpperCase()])
    .where('kind', '=', kind)
    .where('state', 'in', ['done', 'applied'])
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Commands of the same kind about the same target that were sent after one, and may have had an effect. */
export function findLater(
  db: Kysely<Tables>,
  { id, kind, target, sent_at, created_at }: CommandRow,
): Promise<CommandRow[]> {
  return db
    .selectFrom('command')
    .selectAll()
    .where('target', '=', target)
    .where('kind', '=', kind)
    .where('id', '!=', id)
    .where('sent_at', '>', sent_at ?? created_at)
    .where('state', 'not in', ['refused', 'closed'])
    .execute()
}

/** One that was sent earlier has been settled, or is told among the open ones. */
const UNDER_WAY_MAX_MS = 86_400_000

interface Between {
  readonly kinds: readonly string[]
  /** ISO 8601. */
  readonly lookedAt: string
  readonly endedAt: string
}

/** Commands that took effect between two times, or may have; the latest first. */
export async function findMadeBetween(
  db: Kysely<Tables>,
  { kinds, lookedAt, endedAt }: Between,
): Promise<CommandRow[]> {
  if (kinds.length === 0) return []
  const sentBefore = db
    .selectFrom('command')
    .selectAll()
    .where('kind', 'in', kinds)
    .where('sent_at', '<=', endedAt)
    .limit(OPEN_MAX)
  const sentSince = new Date(Date.parse(lookedAt) - UNDER_WAY_MAX_MS).toISOString()
  const [effective, open, noEffect] = await Promise.all([
    sentBefore
      .where('sent_at', '>=', sentSince)
      .where('state', 'in', EFFECTIVE)
      .where('settled_at', '>=', lookedAt)
      .execute(),
    sentBefore.where('state', 'in', ['sent', 'unknown', 'accepted']).execute(),
    sentBefore.where('state', '=', 'not_applied').where('reconcile_until', '>=', lookedAt).execute(),
  ])
  return [...effective, ...open, ...noEffect].sort((a, b) => ((a.sent_at ?? '') < (b.sent_at ?? '') ? 1 : -1))
}

/** Commands whose effect showed late since a time (ISO 8601), the latest first; one more than is shown, where there is. */
export function findLate(db: Kysely<Tables>, since: string): Promise<CommandRow[]> {
  return db
    .selectFrom('command')
    .selectAll()
    .where('late_at', '>', since)
    .orderBy('late_at', 'desc')
    .limit(LATE_MAX + 1)
    .execute()
}

/** More than Home shows. */
export const LATE_MAX = 100

/** The latest command of a kind about a target that was sent, by whomever. */
export function findLatestSent(db: Kysely<Tables>, kind: string, target: string): Promise<CommandRow | undefined> {
  return db
    .selectFrom('command')
    .selectAll()
    .where('target', '=', target)
    .where('kind', '=', kind)
    .where('sent_at', 'is not', null)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** More than this is open only when something is badly wrong; the oldest come first. */
export const OPEN_MAX = 500

/** Commands that were sent and whose end is not known, oldest first. */
export function findOpen(db: Kysely<Tables>): Promise<CommandRow[]> {
  return db
    .selectFrom('command')
    .selectAll()
    .where('state', 'in', ['unknown', 'accepted'])
    .orderBy('created_at')
    .limit(OPEN_MAX)
    .execute()
}

/** Commands without an effect that nobody has handled, oldest first. */
export function findUnhandled(db: Kysely<Tables>): Promise<CommandRow[]> {
  return db
    .selectFrom('command')
    .selectAll()
    .where('state', '=', 'not_applied')
    .where('handled_at', 'is', null)
    .orderBy('created_at')
    .limit(OPEN_MAX)
    .execute()
}

/** Commands of which no effect showed, and that are looked at all the same, the oldest first. */
export function findReconciledLater(db: Kysely<Tables>, now: string): Promise<CommandRow[]> {
  return db
    .selectFrom('command')
    .selectAll()
    .where('reconcile_until', '>', now)
    .where('state', '=', 'not_applied')
    .orderBy('reconcile_until')
    .limit(OPEN_MAX)
    .execute()
}

/** Commands that wait for a second factor since before a time (ISO 8601). */
export function findChallengedBefore(db: Kysely<Tables>, before: string): Promise<CommandRow[]> {
  return db
    .selectFrom('command')
    .selectAll()
    .where('state', '=', 'challenged')
    .where('sent_at', '<', before)
    .limit(OPEN_MAX)
    .execute()
}

interface LeftSent {
  readonly bootId: string
  /** No other process can have this store open, so every other process is dead. */
  readonly alone: boolean
  /** ISO 8601. No send takes so long. */
  readonly sentBefore: string
}

/**
 * Commands under way that may have nobody who waits for their outcome: in a dead process, for too long, or in this very
 * process, which knows better itself what it is sending.
 */
export async function findLeftSent(db: Kysely<Tables>, { bootId, alone, sentBefore }: LeftSent): Promise<CommandRow[]> {
  const sent = db.selectFrom('command').selectAll().where('state', '=', 'sent').orderBy('created_at').limit(OPEN_MAX)
  if (alone) return await sent.execute()
  return await sent
    .where(({ or, eb, not, exists, selectFrom }) =>
      or([
        eb('boot_id', '=', bootId),
        eb('sent_at', '<', sentBefore),
        not(
          exists(
            selectFrom('console_process')
              .select('console_process.boot_id')
              .whereRef('console_process.boot_id', '=', 'command.boot_id')
              .where('beat_at', '>', sql<number>`extract(epoch FROM clock_timestamp()) - ${DEAD_AFTER_SECONDS}`),
          ),
        ),
      ]),
    )
    .execute()
}

/** The chain's end: print it, and a tail that is cut off later shows. */
export function chainEnd(db: Kysely<Tables>): Promise<{ sequence: number; mac: string }> {
  return db.selectFrom('command_chain').select(['sequence', 'mac']).where('one', '=', 1).executeTakeFirstOrThrow()
}

/** Drafts that a person has made at the command endpoint since a time (ISO 8601); those of a batch are one act. */
export async function countDraftsSince(db: Kysely<Tables>, actor: string, since: string): Promise<number> {
  const { count } = await db
    .selectFrom('command')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('actor', '=', actor)
    .where('created_at', '>', since)
    .where('batch', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}
