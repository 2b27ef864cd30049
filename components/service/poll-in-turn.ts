import { onSessionBack } from './session-events.ts'

/**
 * Repeats work until told to stop. A round begins so long after the last one has ended, so that a slow answer never has
 * the next question overtake it; when the session is back, it begins at once. Answers how to stop.
 */
export function pollInTurn(round: () => Promise<void>, everyMs: number): () => void {
  let stopped = false
  let running = false
  let again = false
  let timer: ReturnType<typeof setTimeout>
  const plan = () => {
    running = false
    if (stopped) return
    if (again) begin()
    else timer = setTimeout(begin, everyMs)
  }
  const begin = () => {
    running = true
    again = false
    void round().then(plan, plan)
  }
  const stopHearing = onSessionBack(() => {
    clearTimeout(timer)
    // What is under way may have been refused for want of a session.
    if (running) again = true
    else begin()
  })
  plan()
  return () => {
    stopped = true
    clearTimeout(timer)
    stopHearing()
  }
}
