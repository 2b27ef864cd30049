import 'server-only'
import type { AdminView } from '#lib/domain/queue.ts'
import type { ThreadCase } from '#lib/domain/thread.ts'

/**
 * What cases tell about whether their reader sees everybody's. The service ignores `all` for a caller who is no admin, and
 * does not say so: only a case in which the caller is no party proves it. Where it is not known who the caller is, there is
 * such a case when no one person is a party of them all.
 */
export function adminViewOf(userId: string | null, cases: readonly ThreadCase[]): AdminView {
  const callers = userId === null ? cases.slice(0, 1).flatMap(partiesOf) : [userId.toLowerCase()]
  const isPartyOfAll = (person: string) => cases.every((found) => partiesOf(found).includes(person))
  if (cases.length > 0 && !callers.some(isPartyOfAll)) return 'proved'
  return userId === null ? 'unknowable' : 'not-proved'
}

/** The two people of a case, in small letters. */
export const partiesOf = ({ raisedByUserId, counterpartyUserId }: ThreadCase): readonly string[] => [
  raisedByUserId.toLowerCase(),
  counterpartyUserId.toLowerCase(),
]
