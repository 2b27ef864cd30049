import type { Transaction } from '#lib/contract/transactions.ts'
import type { Row } from '#lib/contract/wire.ts'
import { Money } from '#lib/values/money.ts'

/** The transaction's own page shows a longer note in full. */
const NOTE_CHARS = 240

/** Values are kept as received from the service. */
export interface HistoryRow {
  readonly reference: string
  readonly createdAt: string
  readonly type: string
  readonly state: string
  readonly from: string
  readonly to: string
  readonly debit: string
  readonly credit: string
  /** Debit minus credit; empty when they are equal or not readable. */
  readonly fee: string
  /** Cut to `NOTE_CHARS`. */
  readonly note: string
  /** The full length of a cut note, in characters; null when `note` is complete. */
  readonly noteCutFrom: number | null
}

/** Sent to the browser, so it holds only what the table shows. */
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

/** Computed on the server, so that browsers do not load the decimal arithmetic. */
function feeOf(debit: string, credit: string): string {
  const [pays, gets] = [Money.fromWire(debit), Money.fromWire(credit)]
  return pays === null || gets === null || pays.equals(gets) ? '' : pays.minus(gets).toExact()
}
