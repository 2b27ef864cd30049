import 'server-only'
import { type Kysely, sql } from 'kysely'
import { config } from '#lib/config/config.ts'
import { errorName, log } from '#lib/config/log.ts'
import { bootId, perProcess, steadyNow } from '#lib/config/per-process.ts'
import { isDatabaseError } from '#lib/database/database-error.ts'
import { printJournalEnd } from '#lib/journal/sequencer.ts'
import { hourly, runPeriodically } from '#lib/store/periodic.ts'
import { dropDeadProcesses, writeHeartbeat } from '#lib/store/ready.ts'
import { store } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { refusedUnsent } from './command.ts'
import { approvalExpired, findExpired } from './policy/approval-table.ts'
import { endExpiredDraft, endUnsent } from './prepare.ts'
import { findChallengedBefore, findLeftSent } from './queries.ts'
import { eraseOldCodes } from './rate-limit.ts'
import type { CommandRow } from './row.ts'
import { isBeingSent } from './send.ts'
import { moveCommand } from './store.ts'
import { inCommandTrace } from './trace.ts'
import { DRAFT_LIFE_MS, unknownOutcome } from './view.ts'

const EVERY_MS = 1_000
const DEADLINE_MS = 15_000
const BEAT_DEADLINE_MS = 3_000
/** Each table about every ten minutes. */
const VACUUM_EVERY_MS = 10_000
/** Above two calls of thirty seconds plus token refreshes. */
const LONGEST_SEND_MS = 180_000

/** A confirmation that began in time may still read facts and check a code. */
const CONFIRMING_MAX_MS = 300_000
/** After an update a store may have many. */
const DRAFTS_PER_ROUND = 20

/** The build keeps no names of functions. */
type Chores = Readonly<Record<string, () => Promise<void>>>

export function startMaintenance(chores: Chores): void {
  perProcess('maintenance', () => startRounds(chores))
}

function startRounds(chores: Chores): () => void {
  let vacuumAt = 0
  const byTheHour = () => hourly('maintenance by the hour', maintainByTheHour)
  const round = async () => {
    await maintain()
    for (const [name, chore] of Object.entries({ ...chores, byTheHour })) await chore().catch(logFailed(name))
    if (!isEmbedded() || steadyNow() < vacuumAt) return
    vacuumAt = steadyNow() + VACUUM_EVERY_MS
    await vacuumNext(await store())
  }
  const stops = [
    runPeriodically(round, { everyMs: EVERY_MS, deadlineMs: DEADLINE_MS, onFailure: logFailed('round') }),
    runPeriodically(beat, { everyMs: EVERY_MS, deadlineMs: BEAT_DEADLINE_MS, onFailure: logFailed('heartbeat') }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

const logFailed = (chore: string) => (error: unknown) => {
  const code = isDatabaseError(error) ? error.code : undefined
  log().warn({ event: 'maintenance', chore, error: errorName(error), code }, 'a chore failed; the console tries again')
}

/** Apart from the chores: a process without a heartbeat counts as dead. */
async function beat(): Promise<void> {
  await writeHeartbeat(await store(), bootId())
}

async function maintainByTheHour(): Promise<boolean> {
  await printJournalEnd()
  await dropDeadProcesses(await store())
  await eraseOldCodes(await store())
  return true
}

const isEmbedded = (): boolean => !config().databaseUrl.startsWith('postgres')

/** The embedded store has no autovacuum. One table a call: much changed ones first, then all in turn. */
export async function vacuumNext(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_stat_user_tables WHERE schemaname = current_schema()
    ORDER BY greatest(n_dead_tup, n_mod_since_analyze) > 50 + 0.1 * n_live_tup DESC, last_vacuum NULLS FIRST, relname
    LIMIT 1`.execute(db)
  for (const { name } of rows) await sql`VACUUM (ANALYZE) ${sql.table(name)}`.execute(db)
}

export async function maintain(): Promise<void> {
  const db = await store()
  const alone = isEmbedded()
  const sentBefore = new Date(Date.now() - LONGEST_SEND_MS).toISOString()
  for (const row of await findLeftSent(db, { bootId: bootId(), alone, sentBefore })) {
    if (stillUnderWay(row, sentBefore)) continue
    const move = {
      from: ['sent'],
      to: 'unknown',
      outcome: JSON.stringify(unknownOutcome(row)),
      note: { why: whyUnknown(row), recoveredBy: bootId() },
    } as const
    await logFailure(row, () => inCommandTrace(row, 'recover', () => moveCommand(db, row.id, move)))
  }
  for (const row of await findChallengedBefore(db, new Date(Date.now() - DRAFT_LIFE_MS).toISOString())) {
    await logFailure(row, () =>
      endUnsent(
        row,
        refusedUnsent('No code was entered for ten minutes', 'Nothing was changed. Start again if still needed.'),
      ),
    )
  }
  const preparedBefore = new Date(Date.now() - DRAFT_LIFE_MS - CONFIRMING_MAX_MS).toISOString()
  for (const row of await findAbandonedDrafts(db, preparedBefore)) await logFailure(row, () => endExpiredDraft(row))
  for (const row of await findExpired(db))
    await logFailure(row, () => endUnsent(row, approvalExpired, { handled: false }))
}

/** The oldest first. `before`: ISO 8601. */
export const findAbandonedDrafts = (db: Kysely<Tables>, before: string): Promise<CommandRow[]> =>
  db
    .selectFrom('command')
    .selectAll()
    .where('state', '=', 'draft')
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(DRAFTS_PER_ROUND)
    .execute()

const isOfThisProcess = (row: CommandRow): boolean => row.boot_id === bootId()

/** Check after reading the row: a send registers before it changes the state. */
const stillUnderWay = (row: CommandRow, sentBefore: string): boolean =>
  isOfThisProcess(row) && isBeingSent(row.id) && (row.sent_at ?? '') >= sentBefore

const whyUnknown = (row: CommandRow): string =>
  isOfThisProcess(row) ? 'sending it gave no result' : 'the process that sent it ended, or took too long'

async function logFailure(row: CommandRow, work: () => Promise<unknown>): Promise<void> {
  await work().catch(() => log().warn({ event: 'maintenance', id: row.id }, 'a command could not be moved on'))
}
