import type { Transaction } from '#lib/contract/transactions.ts'
import { isAmong } from '#lib/disputes/resolution.ts'
import type { ThreadCase } from '#lib/disputes/thread/thread.ts'
import type { Result } from '#lib/service/answer.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import { type Access, may } from '#lib/service/scopes.ts'
import type { Session } from '#lib/session/session.ts'

/** Why a person cannot decide a case, as far as the console can tell beforehand; null when nothing is known against it. */
export function blockedReason(
  session: Session,
  access: Access,
  { raisedByUserId, counterpartyUserId }: ThreadCase,
  transaction: Result<Transaction>,
): string | null {
  if (!may(access, 'core:disputes:resolve'))
    return 'You may read, but not decide: it needs the scope core:disputes:resolve.'
  if (isAmong(session.userId, [raisedByUserId, counterpartyUserId])) {
    return 'You are a party of this case. Somebody else must decide it.'
  }
  if (transaction.ok) return null
  return `The disputed transaction cannot be read, and nothing is decided unseen. ${problemWords(transaction.problem).title}.`
}
