import 'server-only'
import type { Transaction } from '#lib/contract/transactions.ts'
import type { Session } from '#lib/session/session.ts'
import { readAccountHistory } from '#lib/transactions/transaction-service.ts'
import { Money } from '#lib/values/money.ts'
import { type Disputed, isAmong } from './resolution.ts'

const ROWS_READ = 100
/** The answer is unspecified, so the search in it is bounded. */
const TEXTS_MAX = 200
const DEPTH_MAX = 6

/**
 * The interface names no field for the reversing transaction. So a text of the answer must be the reference of exactly
 * one transaction from the recipient to the sender with the amount paid; otherwise null.
 */
export async function reversalIn(
  session: Session,
  disputed: Disputed & { readonly referenceId: string },
  data: unknown,
): Promise<string | null> {
  const texts = new Set(textsIn(data).slice(0, TEXTS_MAX))
  texts.delete(disputed.referenceId)
  if (texts.size === 0) return null
  const history = await readAccountHistory(session, disputed.fromAccountId, { page: 1, pageSize: ROWS_READ })
  if (!history.ok) return null
  const found = history.value.rows.flatMap((row) =>
    row.readable && texts.has(row.value.referenceId) && givesBack(row.value, disputed) ? [row.value.referenceId] : [],
  )
  return found.length === 1 ? (found[0] ?? null) : null
}

export function textsIn(data: unknown, depth = DEPTH_MAX): string[] {
  if (typeof data === 'string') return data === '' ? [] : [data]
  if (typeof data !== 'object' || data === null || depth === 0) return []
  return Object.values(data).flatMap((value) => textsIn(value, depth - 1))
}

function givesBack(row: Transaction, { fromAccountId, toAccountId, debit }: Disputed): boolean {
  const [paid, back] = [Money.fromWire(debit), Money.fromWire(row.credit)]
  return (
    isAmong(row.toAccountId, [fromAccountId]) &&
    isAmong(row.fromAccountId, [toAccountId]) &&
    paid !== null &&
    back?.equals(paid) === true
  )
}
