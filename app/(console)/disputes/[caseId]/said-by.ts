import { type CaseParties, type CaseRole, roleIn } from '#lib/disputes/resolution.ts'
import type { ThreadMessage } from '#lib/disputes/thread/thread.ts'

export interface SaidBy {
  readonly role: CaseRole
  readonly count: number
  readonly first: ThreadMessage | null
}

/** Message counts of the two parties and staff. Messages of the service count for no one. */
export function saidBy(messages: readonly ThreadMessage[], parties: CaseParties): readonly SaidBy[] {
  const { fromAccountId, raisedByUserId, toAccountId, counterpartyUserId } = parties
  const sides = [fromAccountId ?? raisedByUserId, toAccountId ?? counterpartyUserId].map((id) => roleIn(parties, id))
  return [...sides, 'Arbitrator' as const].map((role) => {
    const theirs = messages.filter(
      ({ senderUserId }) => senderUserId !== null && roleIn(parties, senderUserId) === role,
    )
    return { role, count: theirs.length, first: theirs[0] ?? null }
  })
}
