import 'server-only'
import type { Transaction } from '#lib/contract/transactions.ts'
import { csvLine } from '#lib/values/csv.ts'
import { Money } from '#lib/values/money.ts'

export const historyHeadings = csvLine([
  'Reference',
  'Created (UTC)',
  'Settled (UTC)',
  'Type',
  'State',
  'Sender',
  'Recipient',
  'Sender pays (BZD)',
  'Recipient gets (BZD)',
  'Fee (BZD)',
  'Note',
  'Failed because',
])

const NONE = ''

export function historyLine(transaction: Transaction): string {
  const [pays, gets] = [Money.fromWire(transaction.debit), Money.fromWire(transaction.credit)]
  return csvLine([
    transaction.referenceId,
    transaction.createdAt,
    transaction.settledAt ?? NONE,
    transaction.transactionType,
    transaction.state,
    transaction.fromAccountId,
    transaction.toAccountId,
    pays ?? transaction.debit,
    gets ?? transaction.credit,
    pays === null || gets === null ? NONE : pays.minus(gets),
    transaction.note,
    transaction.failReason,
  ])
}

/** Makes the gap visible. `place` counts from 1, the newest. */
export const unreadableLine = (place: number): string =>
  csvLine([`(row ${place} of the history could not be read)`, ...Array.from({ length: 11 }, () => NONE)])
