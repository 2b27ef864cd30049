import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'

interface Rounds {
  /** From the end of one round to the start of the next. */
  readonly everyMs: number
  readonly deadlineMs: number
  readonly onFailure: (error: unknown) => void
}

/**
 * Repeats work without keeping the process alive. A round that exceeds its deadline is abandoned, because it may hang
 * for ever.
 */
export function inRounds(work: () => Promise<void>, { everyMs, deadlineMs, onFailure }: Rounds): () => void {
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
