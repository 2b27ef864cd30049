import 'server-only'
import { perProcess } from '#lib/config/per-process.ts'

interface Sends {
  /** How often each command is held. */
  readonly held: Map<string, number>
  readonly running: Set<Promise<unknown>>
  /** The process ends: what is not held by now is not sent. */
  refusing: boolean
}

/** The name of the error that tells that the process is stopping. */
export const STOPPING = 'Stopping'

const sends = (): Sends => perProcess('sends', () => ({ held: new Map(), running: new Set(), refusing: false }))

/** Nothing was sent: the process ends. Known by its name, as each bundle of the framework has its own copy of the class. */
class Stopping extends Error {
  override readonly name = STOPPING
}

/**
 * Holds a command while this process sends it, from before its state says so until its outcome is written down. What is
 * `sent` and held by nobody has no end of its own: maintenance makes it unknown. Throws, with nothing sent, when the
 * process is stopping.
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

/** From here on nothing is sent that is not held already. Answers when the last one is written down. */
export async function endSends(): Promise<void> {
  const all = sends()
  all.refusing = true
  while (all.running.size > 0) await Promise.allSettled(all.running)
}
