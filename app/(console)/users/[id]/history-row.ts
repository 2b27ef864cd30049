import type { Transaction } from '#lib/contract/transactions.ts'
import type { Row } from '#lib/contract/wire.ts'
import { Money } from '#lib/values/money.ts'

/** A longer note is read on the transaction's own page. */
const NOTE_CHARS = 240

/** A transaction as far as a line of the history goes; every value as the service gave it. */
export interface HistoryRow {
  readonly reference: string
  readonly createdAt: string
  readonly type: string
  readonly state: string
  readonly from: string
  readonly to: string
  readonly debit: string
  readonly credit: string
  /** Debit less credit; empty where there is none, or where it cannot be told. */
  readonly fee: string
  /** Its beginning. */
  readonly note: string
  /** How many characters the whole note has, where `note` is not the whole. */
  readonly noteCutFrom: number | null
}

/** What the browser gets of a row: no more than is shown. */
export function historyRow(row: Row<Transaction>): Row<HistoryRow> {
  if (!row.readable) return row
  const { referenceId, createdAt, transactionType, state, fromAccountId, toAccountId, debit, credit, note } = row.value
  const characters = [...note]
  return {
    readable: true,
    value: {
      reference: referenceId,
      createdAt,
      type: transactionType,
      state,
      from: fromAccountId,
      to: toAccountId,
      debit,
      credit,
      fee: feeOf(debit, credit),
      note: characters.slice(0, NOTE_CHARS).join(''),
      noteCutFrom: characters.length > NOTE_CHARS ? characters.length : null,
    },
  }
}

/** Told here, so that no browser has to load what calculates with amounts. */
function feeOf(debit: string, credit: string): string {
  const [pays, gets] = [Money.fromWire(debit), Money.fromWire(credit)]
  return pays === null || gets === null || pays.equals(gets) ? '' : pays.minus(gets).toExact()
}
