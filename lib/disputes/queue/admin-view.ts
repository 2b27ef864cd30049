import 'server-only'
import type { ThreadCase } from '#lib/disputes/thread/thread.ts'
import type { AdminView } from './queue.ts'

/**
 * The service silently ignores `all` for a caller who is not an admin. Only a case in which the caller is not a party
 * proves admin view.
 */
export function adminViewOf(userId: string, cases: readonly ThreadCase[]): AdminView {
  const caller = userId.toLowerCase()
  return cases.some((found) => !partiesOf(found).includes(caller)) ? 'proved' : 'not-proved'
}

/** In lower case. */
export const partiesOf = ({
  raisedByUserId,
  counterpartyUserId,
}: Pick<ThreadCase, 'raisedByUserId' | 'counterpartyUserId'>): readonly string[] => [
  raisedByUserId.toLowerCase(),
  counterpartyUserId.toLowerCase(),
]
