import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import { perProcess, steadyNow } from '#lib/config/per-process.ts'

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

const HOUR_MS = 3_600_000
const PAUSE_MS = 60_000

/** For work in parts: each call does one, until `work` returns true. Then pauses an hour, after a failure a minute. */
export async function hourly(name: string, work: () => Promise<boolean>): Promise<void> {
  const next = perProcess(name, () => ({ atMs: 0 }))
  if (steadyNow() < next.atMs) return
  next.atMs = steadyNow() + PAUSE_MS
  next.atMs = (await work()) ? steadyNow() + HOUR_MS : 0
}
