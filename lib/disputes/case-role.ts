import { isAmong } from './resolution.ts'

export interface CaseParties {
  readonly raisedByUserId: string
  readonly counterpartyUserId: string
  readonly fromAccountId: string | null
  readonly toAccountId: string | null
}

export type CaseRole = 'Sender' | 'Recipient' | 'Raised it' | 'Other side' | 'Arbitrator'

export function roleIn(parties: CaseParties, userId: string): CaseRole {
  const { fromAccountId, toAccountId, raisedByUserId, counterpartyUserId } = parties
  if (isAmong(fromAccountId, [userId])) return 'Sender'
  if (isAmong(toAccountId, [userId])) return 'Recipient'
  if (isAmong(raisedByUserId, [userId])) return 'Raised it'
  return isAmong(counterpartyUserId, [userId]) ? 'Other side' : 'Arbitrator'
}
