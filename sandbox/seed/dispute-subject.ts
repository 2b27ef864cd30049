/** What a dispute can be about, and what its two parties say of it at first, in this order. */
export interface DisputeSubject {
  readonly type: 'P2P' | 'PURCHASE'
  /** The payment's note and the reason of the case, for every time the subject is used. */
  readonly cases: readonly (readonly [note: string, reason: string])[]
  /** Who paid, and raised the case. */
  readonly payer: readonly string[]
  readonly recipient: readonly string[]
  /** Why it was decided for the payer. */
  readonly refunded: string
  /** Why it was decided for the recipient. */
  readonly released: string
}
