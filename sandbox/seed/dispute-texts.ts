import texts from './dispute-texts.json' with { type: 'json' }

export interface DisputeSubject {
  /** Note and reason, one pair for each use of the subject. */
  readonly cases: readonly (readonly string[])[]
  /** The payer raised the case. */
  readonly payer: readonly string[]
  readonly recipient: readonly string[]
  readonly refunded: string
  readonly released: string
}

export type SubjectName = keyof typeof texts.transfers | keyof typeof texts.purchases

/** `{other}` is the other party's first name, `{amount}` the payment; others are drawn (`case-file.ts`). */
export const disputeTexts = texts

export const disputeSubjects: Readonly<Record<SubjectName, DisputeSubject>> = { ...texts.transfers, ...texts.purchases }
