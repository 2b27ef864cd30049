import 'server-only'

interface UnderWay {
  readonly running: Set<Promise<unknown>>
  /** The process ends: what is not under way by now is not begun. */
  refusing: boolean
}

const shared = globalThis as typeof globalThis & { consoleUnderWay?: UnderWay }

function underWay(): UnderWay {
  shared.consoleUnderWay ??= { running: new Set(), refusing: false }
  return shared.consoleUnderWay
}

/** Runs an execution that the process does not end in the middle of. Throws, with nothing sent, when it takes none any more. */
export function keepUnderWay<T>(run: () => Promise<T>): Promise<T> {
  const { running, refusing } = underWay()
  if (refusing) throw new Error('the process is stopping')
  const execution = run()
  running.add(execution)
  const over = () => void running.delete(execution)
  execution.then(over, over)
  return execution
}

/** From here on no execution begins. Answers when the last one that had begun is over. */
export async function endExecutions(): Promise<void> {
  const all = underWay()
  all.refusing = true
  while (all.running.size > 0) await Promise.allSettled(all.running)
}
