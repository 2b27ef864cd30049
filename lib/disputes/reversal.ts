import 'server-only'
import type { Transaction } from '#lib/contract/transactions.ts'
import type { Session } from '#lib/session/session.ts'
import { readAccountHistory } from '#lib/transactions/server.ts'
import { Money } from '#lib/values/money.ts'
import { type Disputed, isAmong } from './resolution.ts'

const ROWS_READ = 100
/** An answer with more texts, or deeper ones, is not searched to its end. */
const TEXTS_MAX = 200
const DEPTH_MAX = 6

/**
 * The reference of the reversing transaction in what resolving answers. The interface says that it is there, and not under
 * which name: a text of the answer that the sender's newest transactions have as one of exactly what the sender paid, from
 * the recipient back. Null where that is not so, or of more than one; then nobody here knows it.
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

/** All texts in an answer, except those that lie too deep. */
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
