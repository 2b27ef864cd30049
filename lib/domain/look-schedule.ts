/** A deposit's hold ends after a day, and with it what a late effect could still be told in time for. */
export const LOOKS_END_SECONDS = 86_460

/** For 24 hours ever more rarely: an effect was seen to show up long after its request had timed out. */
const LATER_LOOKS: readonly number[] = [
  ...every(300, 660, 3_660),
  ...every(900, 3_660, 21_660),
  ...every(1_800, 21_660, LOOKS_END_SECONDS),
]

/** Seconds after sending at which a change whose end is not known is looked at: soon, then each minute for ten. */
const UNKNOWN_LOOKS: readonly number[] = [2, 5, 10, 20, 40, 60, ...every(60, 60, 660), ...LATER_LOOKS]

/** interface.md, "Polling after a 202": every two to three seconds for about a minute, then slower. */
const ACCEPTED_LOOKS: readonly number[] = [...every(2.5, 0, 60), ...every(30, 60, 660), ...LATER_LOOKS]

function every(step: number, after: number, to: number): number[] {
  return Array.from({ length: (to - after) / step }, (_, index) => after + step * (index + 1))
}

/** `not_applied`: no effect showed, and the console looks on in case one does. */
export type LookedAt = 'unknown' | 'accepted' | 'not_applied'

const looksOf = (state: LookedAt): readonly number[] => (state === 'accepted' ? ACCEPTED_LOOKS : UNKNOWN_LOOKS)

/** When to look next, in seconds after sending; null when the console no longer looks by itself. */
export function nextLookSeconds(state: LookedAt, elapsedSeconds: number): number | null {
  return looksOf(state).find((at) => at > elapsedSeconds) ?? null
}

/** From then on a person may say what came of a change that reading has not settled, in seconds after sending. */
export const handAfterSeconds = (state: 'unknown' | 'accepted'): number =>
  state === 'unknown' ? 660 : LOOKS_END_SECONDS
