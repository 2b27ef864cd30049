import type { NewRow } from './append.ts'

type Given = Pick<
  NewRow,
  'reference_id' | 'from_account_id' | 'to_account_id' | 'credit' | 'debit' | 'transaction_type' | 'state'
> &
  Partial<NewRow>

/** The first row of a transaction, with everything that does not apply left empty. */
export const newRow = (at: string, given: Given): NewRow => ({
  chain_reference_id: '',
  tx_contract_address: '',
  tx_contract_version: '',
  created_at: at,
  settled_at: null,
  note: '',
  fail_reason: '',
  bank_reference: null,
  card_id: null,
  reversal_of: null,
  recorded_at: at,
  ...given,
})

/** What a reversing transaction is made from, as far as this one is known. */
type Reversed = Pick<NewRow, 'reference_id' | 'from_account_id' | 'to_account_id' | 'credit' | 'debit'>

/**
 * The row that gives back all that the sender paid, at once and for good: a transaction of its own. Who received pays
 * back what they received; the fee comes from the service, so the credit is more than the debit where there was one.
 */
export const reversalRow = (
  at: string,
  settled: Reversed,
  given: Partial<NewRow> & Pick<NewRow, 'reference_id'>,
): NewRow =>
  newRow(at, {
    from_account_id: settled.to_account_id,
    to_account_id: settled.from_account_id,
    credit: settled.debit,
    debit: settled.credit,
    transaction_type: 'REVERSAL',
    state: 'PROCESSED',
    settled_at: at,
    reversal_of: settled.reference_id,
    ...given,
  })
