import 'server-only'

/** Returns a function that cancels. */
export type Schedule = (ms: number, run: () => void) => () => void

/** Does not keep the process alive. */
export const schedule: Schedule = (ms, run) => {
  const timer = setTimeout(run, ms)
  timer.unref()
  return () => clearTimeout(timer)
}
