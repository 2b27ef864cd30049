import 'server-only'
import { type Kysely, sql } from 'kysely'
import { perProcess } from '#lib/config/per-process.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { problemOf, TOO_MANY_CHANGES } from '#lib/contract/problem-of.ts'
import { countRows, inTransaction } from '#lib/store/store.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import { KeyedMutex } from '#lib/values/concurrency.ts'
import { countDraftsSince } from './queries.ts'

/** More than manual work needs. */
export const CHANGES_MAX = 60
const WINDOW_MS = 10 * 60_000
const PAUSE_SECONDS = 60

export const tooManyChanges: Problem = problemOf('service', {
  status: 429,
  code: TOO_MANY_CHANGES,
  title: `More than ${CHANGES_MAX} changes and codes in ten minutes`,
  retryAfterSeconds: PAUSE_SECONDS,
})

const windowStart = (): string => new Date(Date.now() - WINDOW_MS).toISOString()

/** Also true for a `batch` that counts already. */
export async function hasRoom(db: Kysely<Tables>, actor: string, batch?: string): Promise<boolean> {
  const since = windowStart()
  const drafts = await countDraftsSince(db, actor, since, batch)
  if (drafts >= CHANGES_MAX) return false
  const codes = await countRows(db.selectFrom('code_attempt').where('actor', '=', actor).where('at', '>', since))
  return drafts + codes < CHANGES_MAX
}

/** Waiting requests of one person must not hold database connections. */
export const inTurn = <Result>(actor: string, work: () => Promise<Result>): Promise<Result> =>
  perProcess('rate limit turns', () => new KeyedMutex()).run(actor, work)

/** {@link hasRoom} under a lock until the transaction ends: simultaneous requests count each other. */
export async function takeRoom(trx: Trx, actor: string, batch?: string): Promise<boolean> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`rate limit ${actor}`}, 0))`.execute(trx)
  return await hasRoom(trx, actor, batch)
}

/** Counts before sending. If false, the code must not be sent. */
export const countCode = (db: Kysely<Tables>, actor: string): Promise<boolean> =>
  inTurn(actor, () =>
    inTransaction(db, async (trx) => {
      if (!(await takeRoom(trx, actor))) return false
      await trx.insertInto('code_attempt').values({ actor, at: new Date().toISOString() }).execute()
      return true
    }),
  )

export async function eraseOldCodes(db: Kysely<Tables>): Promise<void> {
  await db.deleteFrom('code_attempt').where('at', '<', windowStart()).execute()
}
