const FIRST_MS = 500
const LONGEST_MS = 30_000

/**
 * How long to wait before the next try, in milliseconds: half a second doubling to thirty, less up to a half so that many
 * do not return at once. `failures` so far; `random` from 0 to 1.
 */
export function retryDelayMs(failures: number, random: number): number {
  const whole = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures, 10))
  return whole * (1 - random / 2)
}
