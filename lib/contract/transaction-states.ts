/** The states that interface.md gives. A response may carry others; they stay plain strings. Free of schemas, for browsers. */
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

/** Hours from the confirmation of a deposit to the release of its hold. */
export const DEPOSIT_HOLD_HOURS = 24
