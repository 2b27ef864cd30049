/** A response may have other states. Free of zod, for browsers. */
export const transactionStates = [
  'QUEUED',
  'PENDING',
  'PROCESSING',
  'DISPUTED',
  'BLOCKED',
  'PROCESSED',
  'FAIL',
] as const

export type TransactionState = (typeof transactionStates)[number]

/** Counted from the confirmation. */
export const DEPOSIT_HOLD_HOURS = 24

/** A response may have other states. Free of zod, for browsers. */
export const cardStates = ['UNISSUED', 'ACTIVE', 'BLOCKED'] as const

export type CardState = (typeof cardStates)[number]

/** interface.md, "Limits". */
export const PRINTED_NAME_MAX_CHARS = 64
