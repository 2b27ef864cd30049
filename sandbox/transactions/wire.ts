import type { LedgerRow } from '#sandbox/ledger/rows.ts'

export const transactionBody = (row: LedgerRow) => ({
  transactionId: row.row_id,
  referenceId: row.reference_id,
  fromAccountId: row.from_account_id,
  toAccountId: row.to_account_id,
  credit: row.credit,
  debit: row.debit,
  transactionType: row.transaction_type,
  state: row.state,
  chainReferenceId: row.chain_reference_id,
  txContractAddress: row.tx_contract_address,
  txContractVersion: row.tx_contract_version,
  createdAt: row.created_at,
  settledAt: row.settled_at,
  note: row.note,
  failReason: row.fail_reason,
})

export const operationBody = (row: LedgerRow, message: string, accepted: boolean) => ({
  referenceId: row.reference_id,
  state: row.state,
  message,
  accepted,
})
