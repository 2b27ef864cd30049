const LOOK_EVERY_MS = 500
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Calls back whenever this process is asked to stop: by a signal, or because whatever ran it is gone. npm hands a signal
 * on, and one that is killed cannot: its script goes on as the child of somebody else. Answers how to listen no more.
 */
export function onStopAsked(stop: () => void): () => void {
  for (const signal of SIGNALS) process.on(signal, stop)
  const parent = process.ppid
  const looking = setInterval(() => {
    if (process.env.npm_lifecycle_event === undefined || process.ppid === parent) return
    clearInterval(looking)
    stop()
  }, LOOK_EVERY_MS)
  looking.unref()
  return () => {
    for (const signal of SIGNALS) process.off(signal, stop)
    clearInterval(looking)
  }
}
