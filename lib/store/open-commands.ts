import 'server-only'
import { type Kysely, sql } from 'kysely'
import type { CommandRow } from './commands.ts'
import type { Tables } from './tables.ts'

/** More than this is open only when something is badly wrong; the oldest come first. */
const OPEN_MAX = 500

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

/** Commands of which no effect showed, and that are looked at all the same, the oldest first. */
export function findLookedAt(db: Kysely<Tables>, now: string): Promise<CommandRow[]> {
  return db
    .selectFrom('command')
    .selectAll()
    .where('look_until', '>', now)
    .where('state', '=', 'not_applied')
    .orderBy('look_until')
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

/** A process that has shown no sign of life for this long is taken for dead. By the database's clock. */
const DEAD_AFTER_SECONDS = 4

/** A sign of life of this process. */
export async function beat(db: Kysely<Tables>, bootId: string): Promise<void> {
  await sql`
    INSERT INTO console_process (boot_id, beat_at) VALUES (${bootId}, extract(epoch FROM clock_timestamp()))
    ON CONFLICT (boot_id) DO UPDATE SET beat_at = excluded.beat_at`.execute(db)
}

/** Rows of processes that died longer ago than this tell nothing any more. */
const FORGET_AFTER_SECONDS = 3_600

export async function dropDeadProcesses(db: Kysely<Tables>): Promise<void> {
  await db
    .deleteFrom('console_process')
    .where('beat_at', '<', sql<number>`extract(epoch FROM clock_timestamp()) - ${FORGET_AFTER_SECONDS}`)
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

/** Drafts that a person has made at the door since a time (ISO 8601); those of a batch are one act. */
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
