import { formatTicks } from '#sandbox/world/clock.ts'

const TICKS_PER_MILLISECOND = 10_000n

export const formatWallTime = (milliseconds: number): string =>
  formatTicks(BigInt(Math.round(milliseconds)) * TICKS_PER_MILLISECOND)
