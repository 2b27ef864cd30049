import texts from './dispute-texts.json' with { type: 'json' }

export interface DisputeSubject {
  readonly type: 'P2P' | 'PURCHASE'
  /** Note and reason, one pair for each use of the subject. */
  readonly cases: readonly (readonly string[])[]
  /** The payer raised the case. */
  readonly payer: readonly string[]
  readonly recipient: readonly string[]
  readonly refunded: string
  readonly released: string
}

export type SubjectName = keyof typeof texts.transfers | keyof typeof texts.purchases

/**
 * `{other}` is the other party's first name, `{amount}` the payment; other placeholders are drawn
 * (`case-file.ts`).
 */
export const disputeTexts = texts

function subjectsOf<Name extends string>(
  type: DisputeSubject['type'],
  subjects: Readonly<Record<Name, Omit<DisputeSubject, 'type'>>>,
): Readonly<Record<Name, DisputeSubject>> {
  const all = Object.entries<Omit<DisputeSubject, 'type'>>(subjects).map(([name, subject]) => [
    name,
    { ...subject, type },
  ])
  return Object.fromEntries(all) as Record<Name, DisputeSubject>
}

export const transferSubjects = subjectsOf('P2P', texts.transfers)

export const disputeSubjects: Readonly<Record<SubjectName, DisputeSubject>> = {
  ...transferSubjects,
  ...subjectsOf('PURCHASE', texts.purchases),
}
