import type { Units } from './amount.ts'

/** For protected transfers and purchases. Instant ones have no fee. */
export const FEES = { SLOW: 10_000_000n, STANDARD: 25_000_000n, FAST: 50_000_000n } as const satisfies Record<
  string,
  Units
>

export type GasTier = keyof typeof FEES
