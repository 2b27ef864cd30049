import { isAmong } from './resolution.ts'

/** Who is who in a case; the interface gives ids and no names. */
export interface CaseParties {
  readonly raisedByUserId: string
  readonly counterpartyUserId: string
  /** Of the disputed transaction; null while it cannot be read. */
  readonly fromAccountId: string | null
  readonly toAccountId: string | null
}

export type CaseRole = 'Sender' | 'Recipient' | 'Raised it' | 'Other side' | 'Arbitrator'

/** What somebody is in a case. Whoever is neither of the two who argue writes as an arbitrator. */
export function roleIn(parties: CaseParties, userId: string): CaseRole {
  const { fromAccountId, toAccountId, raisedByUserId, counterpartyUserId } = parties
  if (isAmong(fromAccountId, [userId])) return 'Sender'
  if (isAmong(toAccountId, [userId])) return 'Recipient'
  if (isAmong(raisedByUserId, [userId])) return 'Raised it'
  return isAmong(counterpartyUserId, [userId]) ? 'Other side' : 'Arbitrator'
}
