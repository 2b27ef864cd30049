import { FEES_ACCOUNT_ID } from './accounts.ts'
import { parseUnits } from './amount.ts'
import type { Posting } from './append.ts'
import type { LedgerRow } from './rows.ts'

type Amounts = Pick<LedgerRow, 'from_account_id' | 'to_account_id' | 'credit' | 'debit'>

const sides = (row: Amounts) => {
  const [credit, debit] = [parseUnits(row.credit), parseUnits(row.debit)]
  return { from: row.from_account_id, to: row.to_account_id, credit, debit, fee: debit - credit }
}

/** Escrow is in the recipient's total but not spendable (interface.md, "Transaction states", balance rules 1 and 2). */
export function reserve(row: Amounts): Posting[] {
  const { from, to, credit, debit, fee } = sides(row)
  return [
    { accountId: from, bucket: 'available', units: -debit },
    { accountId: to, bucket: 'escrow', units: credit },
    { accountId: FEES_ACCOUNT_ID, bucket: 'escrow', units: fee },
  ]
}

export function settle(row: Amounts): Posting[] {
  const { to, credit, fee } = sides(row)
  return [
    { accountId: to, bucket: 'escrow', units: -credit },
    { accountId: to, bucket: 'available', units: credit },
    { accountId: FEES_ACCOUNT_ID, bucket: 'escrow', units: -fee },
    { accountId: FEES_ACCOUNT_ID, bucket: 'available', units: fee },
  ]
}

export const release = (row: Amounts): Posting[] =>
  reserve(row).map((posting) => ({ ...posting, units: -posting.units }))

/** Reserve and settle in one. In a reversal the fee is negative, because the service returns it. */
export function transfer(row: Amounts): Posting[] {
  const { from, to, credit, debit, fee } = sides(row)
  return [
    { accountId: from, bucket: 'available', units: -debit },
    { accountId: to, bucket: 'available', units: credit },
    { accountId: FEES_ACCOUNT_ID, bucket: 'available', units: fee },
  ]
}
