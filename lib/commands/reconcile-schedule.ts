import 'server-only'
import { perProcess } from '#lib/config/per-process.ts'
/** A deposit's hold ends after a day; a later result would be too late. */
export const RECONCILE_END_SECONDS = 86_460

const every = (step: number, after: number, to: number): number[] =>
  Array.from({ length: (to - after) / step }, (_, index) => after + step * (index + 1))

/** Effects were observed long after a request timed out. */
const LATER_TIMES: readonly number[] = [
  ...every(300, 660, 3_660),
  ...every(900, 3_660, 21_660),
  ...every(1_800, 21_660, RECONCILE_END_SECONDS),
]

const UNKNOWN_TIMES: readonly number[] = [2, 5, 10, 20, 40, 60, ...every(60, 60, 660), ...LATER_TIMES]

/** interface.md, "Polling after a 202": every two to three seconds for about a minute, then slower. */
const ACCEPTED_TIMES: readonly number[] = [...every(2, 0, 60), ...every(30, 60, 660), ...LATER_TIMES]

export type ReconciledAs = 'unknown' | 'accepted' | 'not_applied'

const timesOf = (state: ReconciledAs): readonly number[] => (state === 'accepted' ? ACCEPTED_TIMES : UNKNOWN_TIMES)

/** Seconds after sending; null when the schedule has ended. */
export const nextReconcileSeconds = (state: ReconciledAs, elapsedSeconds: number): number | null =>
  timesOf(state).find((at) => at > elapsedSeconds) ?? null

/** From then on a person may record the outcome; seconds after sending. */
export const SETTLE_BY_HAND_AFTER_SECONDS = 660

interface Watch {
  /** Milliseconds since 1970. */
  readonly nextReconcileAt: number
  /** Id of the session that may not read the effect: another one takes over. */
  readonly refusedTo: string | null
}

export const watches = (): Map<string, Watch> => perProcess('watches', () => new Map())

export function nextReconcileAt(commandId: string): string | null {
  const watch = watches().get(commandId)
  return watch === undefined ? null : new Date(watch.nextReconcileAt).toISOString()
}
