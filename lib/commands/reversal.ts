import 'server-only'
import type { Transaction } from '#lib/contract/transactions.ts'
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
 * The reversing transaction as the sender's history shows it: the only one that gives back what the sender paid, from the
 * recipient, about when the case was resolved, and that calls itself a reversal or a refund. Null when there is any doubt.
 */
export async function findReversal(session: Session, disputed: Disputed, resolvedAt: string): Promise<string | null> {
  const history = await readAccountHistory(session, disputed.fromAccountId, { page: 1, pageSize: ROWS_READ })
  if (!history.ok) return null
  const found = history.value.rows.flatMap((row) =>
    row.readable && givesBack(row.value, disputed) && isNear(row.value.createdAt, resolvedAt) ? [row.value] : [],
  )
  return found.length === 1 ? (found[0]?.referenceId ?? null) : null
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

const isNear = (one: string, other: string): boolean => Math.abs(Date.parse(one) - Date.parse(other)) <= APART_MAX_MS
