import 'server-only'

/** How a program stops, step by step. */
export interface ShutdownSteps {
  /** Tells what would go on for ever: streams end, work ends at a place where it can be taken up again. */
  readonly announce: () => void
  /** Takes no connection any more; ends when all that was asked is answered. */
  readonly finishAnswers: () => Promise<unknown>
  /** Cuts every connection that is left. */
  readonly cut: () => void
  /** Lets no change begin any more; ends when none is under way. */
  readonly finishChanges: () => Promise<unknown>
  /** What is done at the very end, one after the other, with the name that the log gives it. */
  readonly last: readonly (readonly [name: string, step: () => Promise<unknown>])[]
  readonly tooLate: (step: string) => void
}

export interface ShutdownLimits {
  readonly answersMs: number
  readonly changesMs: number
  readonly lastMs: number
}

/**
 * A half-sent request holds a program for forty seconds at most. A change that was sent by then may take a minute, the
 * longest time that one is given, and a little for its end to be written down. The launcher waits longer than all of it.
 */
export const SHUTDOWN_LIMITS: ShutdownLimits = { answersMs: 40_000, changesMs: 65_000, lastMs: 4_000 }

/** Stops in order, each step within its time. Answers whether every change that was under way came to its end. */
export async function shutDownInOrder(steps: ShutdownSteps, limits: ShutdownLimits): Promise<boolean> {
  steps.announce()
  if (!(await within(steps.finishAnswers, limits.answersMs))) steps.tooLate('answers')
  steps.cut()
  const changesEnded = await within(steps.finishChanges, limits.changesMs)
  if (!changesEnded) steps.tooLate('changes')
  for (const [name, step] of steps.last) {
    if (!(await within(step, limits.lastMs))) steps.tooLate(name)
  }
  return changesEnded
}

/** Whether a step ended well in its time. */
async function within(step: () => Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((done) => {
    timer = setTimeout(done, ms, false)
  })
  try {
    return await Promise.race([step().then(() => true), late])
  } catch {
    return false
  } finally {
    clearTimeout(timer)
  }
}
