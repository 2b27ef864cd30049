import 'server-only'
import type { ThreadCase } from '#lib/disputes/thread/thread.ts'
import type { AdminView } from './queue.ts'

/**
 * What cases tell about whether their reader sees everybody's. The service ignores `all` for a caller who is no admin, and
 * does not say so: only a case in which the caller is no party proves it.
 */
export function adminViewOf(userId: string, cases: readonly ThreadCase[]): AdminView {
  const caller = userId.toLowerCase()
  return cases.some((found) => !partiesOf(found).includes(caller)) ? 'proved' : 'not-proved'
}

/** The two people of a case, in small letters. */
export const partiesOf = ({
  raisedByUserId,
  counterpartyUserId,
}: Pick<ThreadCase, 'raisedByUserId' | 'counterpartyUserId'>): readonly string[] => [
  raisedByUserId.toLowerCase(),
  counterpartyUserId.toLowerCase(),
]
