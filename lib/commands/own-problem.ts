import 'server-only'
import { log } from '#lib/config/log.ts'
import { isShuttingDown } from '#lib/config/per-process.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { isDatabaseOut } from '#lib/database/database-error.ts'
import { STOPPING } from './running-sends.ts'

export const STORE_OUT = 'The console cannot reach its own store right now'

/** Must not reveal more of the error. */
export function ownProblem(error: unknown, storeOut = STORE_OUT): Problem {
  const name = error instanceof Error ? error.name : 'error'
  log().error({ event: 'request', error: name })
  const because = (status: number, title: string) => problemOf('console', { status, title })
  if (isShuttingDown() || name === STOPPING) return because(503, 'The console is stopping. Try again in a moment')
  return isDatabaseOut(error) ? because(503, storeOut) : because(500, 'Something in the console went wrong')
}
