/** Seconds after sending at which a change whose end is not known is looked at: soon, then each minute for ten. */
const UNKNOWN_LOOKS: readonly number[] = [2, 5, 10, 20, 40, 60, ...every(60, 60, 660)]

/** interface.md, "Polling after a 202": every two to three seconds for about a minute, then slower. */
const ACCEPTED_LOOKS: readonly number[] = [...every(2.5, 0, 60), ...every(30, 60, 660)]

function every(step: number, after: number, to: number): number[] {
  return Array.from({ length: (to - after) / step }, (_, index) => after + step * (index + 1))
}

const looksOf = (state: 'unknown' | 'accepted'): readonly number[] =>
  state === 'unknown' ? UNKNOWN_LOOKS : ACCEPTED_LOOKS

/** When to look next, in seconds after sending; null when the console no longer looks by itself. */
export function nextLookSeconds(state: 'unknown' | 'accepted', elapsedSeconds: number): number | null {
  return looksOf(state).find((at) => at > elapsedSeconds) ?? null
}
