import 'server-only'
import type { Session } from '#lib/session/session.ts'
import { findEffective } from '#lib/store/command-lists.ts'
import { issuedBy } from '#lib/store/issued-cards.ts'
import { store } from '#lib/store/store.ts'

interface Parties {
  readonly referenceId: string
  readonly fromAccountId: string
  readonly toAccountId: string
}

/** What this person has done for a disputed transaction before, as far as this console knows: it may bias who decides. */
export async function stakeOf(
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
