import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'

interface Rounds {
  readonly everyMs: number
  readonly deadlineMs: number
  readonly onFailure: (error: unknown) => void
}

/** Does not keep the process alive. Abandons a round after its deadline, because it may hang for ever. */
export function runPeriodically(work: () => Promise<void>, { everyMs, deadlineMs, onFailure }: Rounds): () => void {
  let stopped = false
  let timer: NodeJS.Timeout
  const plan = () => {
    if (stopped) return
    timer = setTimeout(() => void round().catch(onFailure).finally(plan), everyMs)
    timer.unref()
  }
  const round = async () => {
    const over = new AbortController()
    const deadline = wait(deadlineMs, undefined, { ref: false, signal: over.signal }).then(() => {
      throw new Error('a round took too long')
    })
    try {
      await Promise.race([work(), deadline])
    } finally {
      deadline.catch(() => {})
      over.abort()
    }
  }
  plan()
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}
