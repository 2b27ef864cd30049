import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { perProcess } from '#lib/config/per-process.ts'
import { isDatabaseError } from '#lib/database/database-error.ts'
import type { Tables, Trx } from './tables.ts'

/** A deadlock, and a change that another transaction was in the way of: the database has rolled back, so again is safe. */
const TRY_AGAIN = new Set(['40P01', '40001'])
const TRIES_MAX = 6
const PAUSE_MS = 15

/**
 * Runs work in one transaction. The database may end a transaction to let another go on; then the work runs anew, so it
 * must do nothing but read and write through its handle. Every transaction of the console's store begins here.
 */
export async function inTransaction<Result>(db: Kysely<Tables>, work: (trx: Trx) => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      const result = await db.transaction().execute(work)
      for (const listen of commitListeners()) listen()
      return result
    } catch (error) {
      if (tries >= TRIES_MAX || !mayTryAgain(error)) throw error
    }
    // At random, so that those who met do not meet again.
    await wait(Math.random() * PAUSE_MS * 2 ** tries)
  }
}

const mayTryAgain = (error: unknown): boolean => isDatabaseError(error) && TRY_AGAIN.has(error.code)

const commitListeners = () => perProcess('commits', () => new Set<() => void>())

/** Hears of every transaction of this process that has been committed. Answers how to stop. */
export function onCommit(listen: () => void): () => void {
  commitListeners().add(listen)
  return () => void commitListeners().delete(listen)
}
