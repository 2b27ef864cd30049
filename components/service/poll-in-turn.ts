/**
 * Repeats work until told to stop. A round begins so long after the last one has ended, so that a slow answer never has
 * the next question overtake it. Answers how to stop.
 */
export function pollInTurn(round: () => Promise<void>, everyMs: number): () => void {
  let stopped = false
  let timer: ReturnType<typeof setTimeout>
  const plan = () => {
    if (!stopped) timer = setTimeout(() => void round().then(plan, plan), everyMs)
  }
  plan()
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}
