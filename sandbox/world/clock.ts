/** One tick is 100 ns: the seventh fractional digit of the interface's timestamps. */
const TICKS_PER_MILLISECOND = 10_000n
const TICKS_PER_SECOND = 10_000_000n

/** Ticks since 1970, by the machine's clock. */
const wallTicks = (): bigint => BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000)) * 10n

/** `2026-11-20T12:05:00.1234567Z`; sorts by time. */
export function formatTicks(ticks: bigint): string {
  const whole = new Date(Number(ticks / TICKS_PER_MILLISECOND)).toISOString()
  const fraction = (ticks % TICKS_PER_SECOND).toString().padStart(7, '0')
  return `${whole.slice(0, 19)}.${fraction}Z`
}

/** `milliseconds` since 1970. */
export const formatWallTime = (milliseconds: number): string =>
  formatTicks(BigInt(Math.round(milliseconds)) * TICKS_PER_MILLISECOND)

export const parseTicks = (text: string): bigint =>
  BigInt(Date.parse(`${text.slice(0, 19)}Z`)) * TICKS_PER_MILLISECOND + BigInt(text.slice(20, 27))

/** Offset by `/sandbox/clock`. It never repeats an instant or runs backwards, so times order rows. */
export class LedgerClock {
  #offset = 0n
  #last = 0n
  readonly #wall: () => bigint

  constructor(wall: () => bigint = wallTicks) {
    this.#wall = wall
  }

  get offsetTicks(): bigint {
    return this.#offset
  }

  ticks(): bigint {
    const now = this.#wall() + this.#offset
    this.#last = now > this.#last ? now : this.#last + 1n
    return this.#last
  }

  date(): Date {
    return new Date(Number(this.ticks() / TICKS_PER_MILLISECOND))
  }

  now(): string {
    return formatTicks(this.ticks())
  }

  advanceSeconds(seconds: number): void {
    this.#offset += BigInt(seconds) * TICKS_PER_SECOND
  }

  /** The clock may run backwards here. */
  startAt(offsetTicks: bigint): void {
    this.#offset = offsetTicks
    this.#last = 0n
  }
}

export const plusSeconds = (time: string, seconds: number): string =>
  formatTicks(parseTicks(time) + BigInt(Math.round(seconds * 1000)) * TICKS_PER_MILLISECOND)
