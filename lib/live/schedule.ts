import 'server-only'

/** Returns a function that cancels the run. */
export type Schedule = (ms: number, run: () => void) => () => void

/** The timer does not keep the process alive. */
export const schedule: Schedule = (ms, run) => {
  const timer = setTimeout(run, ms)
  timer.unref()
  return () => clearTimeout(timer)
}
