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
