import 'server-only'
import { log } from '#lib/config/log.ts'
import { isShuttingDown, perProcess } from '#lib/config/per-process.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { isDatabaseOut } from '#lib/database/database-error.ts'

interface Sends {
  readonly held: Map<string, number>
  readonly running: Set<Promise<unknown>>
  refusing: boolean
}

/** Each framework bundle has its own copy of the class, so callers compare the name. */
export const STOPPING = 'Stopping'

const sends = (): Sends => perProcess('sends', () => ({ held: new Map(), running: new Set(), refusing: false }))

class Stopping extends Error {
  override readonly name = STOPPING
}

/**
 * Registers a command from before `sent` until its outcome is stored: maintenance makes an unregistered `sent` command
 * unknown. Throws `Stopping` before anything is sent.
 */
export function whileSending<Result>(commandId: string, work: () => Promise<Result>): Promise<Result> {
  const { held, running, refusing } = sends()
  if (refusing && !held.has(commandId)) throw new Stopping('the process is stopping: nothing was sent')
  held.set(commandId, (held.get(commandId) ?? 0) + 1)
  const sending = work().finally(() => {
    const left = (held.get(commandId) ?? 1) - 1
    if (left > 0) held.set(commandId, left)
    else held.delete(commandId)
    running.delete(sending)
  })
  running.add(sending)
  return sending
}

export const isBeingSent = (commandId: string): boolean => sends().held.has(commandId)

/** Resolves when all running sends are stored. */
export async function endSends(): Promise<void> {
  const all = sends()
  all.refusing = true
  while (all.running.size > 0) await Promise.allSettled(all.running)
}

export const STORE_OUT = 'The console cannot reach its database right now'

/** Must not reveal more of the error. */
export function consoleProblem(error: unknown, storeOut = STORE_OUT): Problem {
  const name = error instanceof Error ? error.name : 'error'
  log().error({ event: 'request', error: name })
  const because = (status: number, title: string) => problemOf('console', { status, title })
  if (isShuttingDown() || name === STOPPING) return because(503, 'The console is stopping. Try again in a moment')
  return isDatabaseOut(error) ? because(503, storeOut) : because(500, 'Something went wrong in the console')
}
