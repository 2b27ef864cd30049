import 'server-only'

interface Stop {
  asked: boolean
  readonly listeners: Set<() => void>
}

const shared = globalThis as typeof globalThis & { consoleStop?: Stop }

function stop(): Stop {
  shared.consoleStop ??= { asked: false, listeners: new Set() }
  return shared.consoleStop
}

/** Calls back once this process is asked to stop: what would go on for ever ends itself then. */
export function atStop(listener: () => void): void {
  stop().listeners.add(listener)
}

/** Whether this process has been asked to stop. */
export const isStopping = (): boolean => stop().asked

/** Tells everyone, once. One listener that throws keeps no other from being told. */
export function tellStop(): void {
  if (stop().asked) return
  stop().asked = true
  for (const listener of stop().listeners) {
    try {
      listener()
    } catch {
      // The process ends in any case.
    }
  }
}
