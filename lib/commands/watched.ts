import 'server-only'

interface Watch {
  /** Milliseconds since 1970. */
  readonly nextLookAt: number
}

const shared = globalThis as typeof globalThis & { consoleWatches?: Map<string, Watch> }

/** The open commands that this process looks at by itself, by command id. */
export function watches(): Map<string, Watch> {
  shared.consoleWatches ??= new Map()
  return shared.consoleWatches
}

/** When this process looks at a command next (ISO 8601); null when it does not. */
export function nextLookAt(commandId: string): string | null {
  const watch = watches().get(commandId)
  return watch === undefined ? null : new Date(watch.nextLookAt).toISOString()
}
