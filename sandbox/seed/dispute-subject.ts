export interface DisputeSubject {
  readonly type: 'P2P' | 'PURCHASE'
  /** One pair for each use of the subject. */
  readonly cases: readonly (readonly [note: string, reason: string])[]
  /** The payer raised the case. */
  readonly payer: readonly string[]
  readonly recipient: readonly string[]
  readonly refunded: string
  readonly released: string
}
