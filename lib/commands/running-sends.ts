import 'server-only'

interface Sends {
  /** How often each command is held. */
  readonly held: Map<string, number>
  readonly running: Set<Promise<unknown>>
  /** The process ends: what is not held by now is not sent. */
  refusing: boolean
}

const shared = globalThis as typeof globalThis & { consoleSends?: Sends }

function sends(): Sends {
  shared.consoleSends ??= { held: new Map(), running: new Set(), refusing: false }
  return shared.consoleSends
}

/**
 * Holds a command while this process sends it, from before its state says so until its outcome is written down. What is
 * `sent` and held by nobody has no end of its own: maintenance makes it unknown. Throws, with nothing sent, when the
 * process is stopping.
 */
export function whileSending<Result>(commandId: string, work: () => Promise<Result>): Promise<Result> {
  const { held, running, refusing } = sends()
  if (refusing && !held.has(commandId)) throw new Error('the process is stopping')
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
