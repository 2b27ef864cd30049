import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'

interface Rounds {
  /** From the end of one round to the beginning of the next. */
  readonly everyMs: number
  /** A round that takes longer is waited for no more. */
  readonly deadlineMs: number
  readonly onFailure: (error: unknown) => void
}

/**
 * Repeats work for the life of the process, which does not stay alive for it. A round begins when the last one has
 * ended, or has hung past its deadline: then what it was waiting for never comes, and the next one must not wait for it.
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
