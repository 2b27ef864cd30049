import type { NewRow, Posting } from '#sandbox/ledger/append.ts'
import { release, settle, transfer } from '#sandbox/ledger/movements.ts'
import { reversalRow } from '#sandbox/ledger/transaction-row.ts'
import type { Book, Written } from './book.ts'

export type Step = readonly [at: string, take: (row: Written) => Written]

type Change = Partial<NewRow> & Pick<NewRow, 'state'>

export function becomes(book: Book, at: string, change: Change, moves: (row: Written) => readonly Posting[]): Step {
  return [at, (row) => book.move(row, { ...change, recorded_at: at }, moves(row))]
}

export const settles = (book: Book, at: string): Step =>
  becomes(book, at, { state: 'PROCESSED', settled_at: at }, settle)

export const fails = (book: Book, at: string, reason: string): Step =>
  becomes(book, at, { state: 'FAIL', fail_reason: reason, settled_at: at }, release)

export function reverses(book: Book, at: string, given: Partial<NewRow> & Pick<NewRow, 'reference_id'>): Step {
  const [, settleIt] = settles(book, at)
  const take = (row: Written): Written => {
    const settled = settleIt(row)
    const reversal = reversalRow(at, settled, given)
    book.create(reversal, transfer(reversal))
    return settled
  }
  return [at, take]
}
