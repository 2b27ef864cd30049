import 'server-only'
import type { Transaction } from '#lib/contract/transactions.ts'
import type { Result } from '#lib/core-api/answer.ts'
import { readAccountHistory } from '#lib/core-api/transactions.ts'
import { Money } from '#lib/domain/money.ts'
import type { Disputed } from '#lib/domain/resolution.ts'
import type { Session } from '#lib/session/session.ts'

/** The service writes the reversal in the act that resolves; its clock may tick between the two. */
const APART_MAX_MS = 60_000
const ROWS_READ = 100

/**
 * The reference of the reversing transaction in what resolving answers; null when it cannot be told. The interface says
 * that it is there, and not under which name: a text whose name speaks of a reversal or a refund, if there is just one.
 */
export function reversalIn(data: unknown): string | null {
  if (typeof data !== 'object' || data === null) return null
  const found = Object.entries(data).flatMap(([name, value]) =>
    /revers|refund/i.test(name) && typeof value === 'string' && value.trim() !== '' ? [value] : [],
  )
  return new Set(found).size === 1 ? (found[0] ?? null) : null
}

/**
 * What may be the reversing transaction, as the sender's history shows it: whatever gives back what the sender paid, from
 * the recipient, about when it was resolved, and calls itself a reversal or a refund. Beyond doubt where there is just one.
 */
export async function findReversals(
  session: Session,
  disputed: Disputed,
  resolvedAt: string,
): Promise<Result<readonly string[]>> {
  const history = await readAccountHistory(session, disputed.fromAccountId, { page: 1, pageSize: ROWS_READ })
  if (!history.ok) return history
  const found = history.value.rows.flatMap((row) =>
    row.readable && givesBack(row.value, disputed) && isNear(row.value.createdAt, resolvedAt)
      ? [row.value.referenceId]
      : [],
  )
  return { ...history, value: found }
}

function givesBack(row: Transaction, { fromAccountId, toAccountId, debit }: Disputed): boolean {
  const [paid, back] = [Money.fromWire(debit), Money.fromWire(row.credit)]
  return (
    row.toAccountId.toLowerCase() === fromAccountId.toLowerCase() &&
    row.fromAccountId.toLowerCase() === toAccountId.toLowerCase() &&
    paid !== null &&
    back?.equals(paid) === true &&
    /revers|refund/i.test(row.transactionType)
  )
}

/** The only one of these; null where there is none, or a doubt. */
export const theOnly = (references: readonly string[]): string | null =>
  references.length === 1 ? (references[0] ?? null) : null

const isNear = (one: string, other: string): boolean => Math.abs(Date.parse(one) - Date.parse(other)) <= APART_MAX_MS
