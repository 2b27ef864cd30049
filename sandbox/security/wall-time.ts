import { formatTicks } from '#sandbox/world/clock.ts'

const TICKS_PER_MILLISECOND = 10_000n

/** A time by the machine's clock, in milliseconds since 1970, as the interface writes times. */
export const formatWallTime = (milliseconds: number): string =>
  formatTicks(BigInt(Math.round(milliseconds)) * TICKS_PER_MILLISECOND)
