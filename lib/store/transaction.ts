import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import { perProcess } from '#lib/config/per-process.ts'
import { isDatabaseError } from '#lib/database/database-error.ts'
import type { Tables, Trx } from './tables.ts'

/** Deadlock, serialization failure, prepared before a migration: a retry is safe. */
const TRY_AGAIN = new Set(['40P01', '40001', '0A000'])
const TRIES_MAX = 6
const PAUSE_MS = 15

/** `work` may run several times, so it must only use its handle. Every transaction of the store starts here. */
export async function inTransaction<Result>(db: Kysely<Tables>, work: (trx: Trx) => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      const result = await db.transaction().execute(work)
      for (const listen of commitListeners()) listen()
      return result
    } catch (error) {
      if (tries >= TRIES_MAX || !mayTryAgain(error)) throw error
    }
    // Random, so that the conflict does not repeat.
    await wait(Math.random() * PAUSE_MS * 2 ** tries)
  }
}

const mayTryAgain = (error: unknown): boolean => isDatabaseError(error) && TRY_AGAIN.has(error.code)

const commitListeners = () => perProcess('commits', () => new Set<() => void>())

export function onCommit(listen: () => void): () => void {
  commitListeners().add(listen)
  return () => void commitListeners().delete(listen)
}

const UNIQUE_VIOLATION = '23505'

export const isUniqueViolation = (error: unknown): boolean => isDatabaseError(error) && error.code === UNIQUE_VIOLATION

export async function countRows<Table extends keyof Tables>(
  query: SelectQueryBuilder<Tables, Table, object>,
): Promise<number> {
  const { count } = await query.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return Number(count)
}

/** Seconds since 1970. All processes share the database's clock. */
export const databaseNow = sql<number>`extract(epoch FROM clock_timestamp())::double precision`

/** Shorter parts match nearly everything. */
export const PART_MIN_CHARS = 3

export const partPattern = (part: string): string => `%${part.replace(/[\\%_]/g, '\\$&')}%`
