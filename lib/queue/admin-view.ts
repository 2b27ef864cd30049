import 'server-only'
import type { AdminView } from '#lib/domain/queue.ts'
import type { ThreadCase } from '#lib/domain/thread.ts'
import { sameAccount } from '#lib/domain/user-id.ts'

/**
 * What cases tell about whether their reader sees everybody's. The service ignores `all` for a caller who is no admin, and
 * does not say so: only a case in which the caller is no party proves it. Without the caller's own id nothing does.
 */
export function adminViewOf(userId: string | null, cases: readonly ThreadCase[]): AdminView {
  if (userId === null) return 'unknowable'
  const isParty = ({ raisedByUserId, counterpartyUserId }: ThreadCase) =>
    sameAccount(raisedByUserId, userId) || sameAccount(counterpartyUserId, userId)
  return cases.every(isParty) ? 'not-proved' : 'proved'
}
