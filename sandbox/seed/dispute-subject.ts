/** What a dispute can be about, and the first messages of its two parties, in order. */
export interface DisputeSubject {
  readonly type: 'P2P' | 'PURCHASE'
  /** One pair for each use of the subject. */
  readonly cases: readonly (readonly [note: string, reason: string])[]
  /** The payer raised the case. */
  readonly payer: readonly string[]
  readonly recipient: readonly string[]
  /** Reason of a decision for the payer. */
  readonly refunded: string
  /** Reason of a decision for the recipient. */
  readonly released: string
}
