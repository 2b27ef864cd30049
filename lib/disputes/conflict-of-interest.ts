import 'server-only'
import { issuedBy } from '#lib/cards/issued-card-table.ts'
import { findEffective } from '#lib/commands/command-lists.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'

interface Parties {
  readonly referenceId: string
  readonly fromAccountId: string
  readonly toAccountId: string
}

/** Earlier acts of this person, in this console, that may bias a decision. */
export async function conflictsOfInterest(
  session: Session,
  { referenceId, fromAccountId, toAccountId }: Parties,
): Promise<string[]> {
  const db = await store()
  const [confirmed, cards] = await Promise.all([
    findEffective(db, 'deposit.confirm', referenceId),
    issuedBy(db, session.actor, [fromAccountId, toAccountId]),
  ])
  return [
    ...(confirmed?.actor === session.actor ? ['You confirmed this deposit yourself.'] : []),
    ...(cards > 0 ? ['You issued a card to one of the two yourself.'] : []),
  ]
}
