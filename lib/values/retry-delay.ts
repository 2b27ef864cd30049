const FIRST_MS = 500
const LONGEST_MS = 30_000

/** Milliseconds: 500 doubling to 30,000, minus up to half as jitter. */
export function retryDelayMs(failures: number, random: number): number {
  const whole = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures, 10))
  return whole * (1 - random / 2)
}
