import 'server-only'

/** Runs something later. Answers how to call it off. */
export type Schedule = (ms: number, run: () => void) => () => void

/** On the process's own clock; the process does not stay alive for it. */
export const schedule: Schedule = (ms, run) => {
  const timer = setTimeout(run, ms)
  timer.unref()
  return () => clearTimeout(timer)
}
