import { formatUnits, type Units } from './amount.ts'
import type { NewRow } from './append.ts'

type RowInput = Pick<
  NewRow,
  'reference_id' | 'from_account_id' | 'to_account_id' | 'credit' | 'debit' | 'transaction_type' | 'state'
> &
  Partial<NewRow>

/** Fields that do not apply are empty. */
const newRow = (at: string, given: RowInput): NewRow => ({
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

export interface FirstRow {
  readonly referenceId: string
  readonly type: 'DEPOSIT' | 'P2P' | 'PURCHASE' | 'WITHDRAWAL'
  readonly from: string
  readonly to: string
  readonly units: Units
  readonly note: string
  readonly cardId?: string | null | undefined
  readonly at: string
}

export function firstRow({ referenceId, type, from, to, units, note, cardId = null, at }: FirstRow): NewRow {
  const amount = formatUnits(units)
  return newRow(at, {
    reference_id: referenceId,
    from_account_id: from,
    to_account_id: to,
    credit: amount,
    debit: amount,
    transaction_type: type,
    state: 'QUEUED',
    note,
    card_id: cardId,
  })
}

type Reversed = Pick<NewRow, 'reference_id' | 'from_account_id' | 'to_account_id' | 'credit' | 'debit'>

/** Returns everything to the sender. The service returns the fee, so the credit can exceed the debit. */
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
