import 'server-only'
import { perProcess } from '#lib/config/per-process.ts'
/** A deposit's hold ends after a day, and with it what a late effect could still be told in time for. */
export const RECONCILE_END_SECONDS = 86_460

/** For 24 hours ever more rarely: an effect was seen to show up long after its request had timed out. */
const LATER_TIMES: readonly number[] = [
  ...every(300, 660, 3_660),
  ...every(900, 3_660, 21_660),
  ...every(1_800, 21_660, RECONCILE_END_SECONDS),
]

/** Seconds after sending at which a change whose end is not known is looked at: soon, then each minute for ten. */
const UNKNOWN_TIMES: readonly number[] = [2, 5, 10, 20, 40, 60, ...every(60, 60, 660), ...LATER_TIMES]

/** interface.md, "Polling after a 202": every two to three seconds for about a minute, then slower. */
const ACCEPTED_TIMES: readonly number[] = [...every(2, 0, 60), ...every(30, 60, 660), ...LATER_TIMES]

function every(step: number, after: number, to: number): number[] {
  return Array.from({ length: (to - after) / step }, (_, index) => after + step * (index + 1))
}

/** `not_applied`: no effect showed, and the console looks on in case one does. */
export type ReconciledAs = 'unknown' | 'accepted' | 'not_applied'

const timesOf = (state: ReconciledAs): readonly number[] => (state === 'accepted' ? ACCEPTED_TIMES : UNKNOWN_TIMES)

/** When to look next, in seconds after sending; null when the console no longer looks by itself. */
export function nextReconcileSeconds(state: ReconciledAs, elapsedSeconds: number): number | null {
  return timesOf(state).find((at) => at > elapsedSeconds) ?? null
}

/** From then on a person may say what came of a change that no read has settled, in seconds after sending. */
export const SETTLE_BY_HAND_AFTER_SECONDS = 660

interface Watch {
  /** Milliseconds since 1970. */
  readonly nextReconcileAt: number
}

/** The open commands that this process looks at by itself, by command id. */
export const watches = (): Map<string, Watch> => perProcess('watches', () => new Map())

/** When this process looks at a command next (ISO 8601); null when it does not. */
export function nextReconcileAt(commandId: string): string | null {
  const watch = watches().get(commandId)
  return watch === undefined ? null : new Date(watch.nextReconcileAt).toISOString()
}
