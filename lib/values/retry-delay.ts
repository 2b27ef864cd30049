const FIRST_MS = 500
const LONGEST_MS = 30_000

/** Milliseconds, doubling from 500 to 30,000, minus up to half as jitter. `random`: 0 to 1. */
export function retryDelayMs(failures: number, random: number): number {
  const whole = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures, 10))
  return whole * (1 - random / 2)
}
