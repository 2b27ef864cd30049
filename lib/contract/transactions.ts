import { z } from 'zod'
import { resolution } from './disputes.ts'
import {
  decimalText,
  endpoint,
  integer,
  moneyNumber,
  orNull,
  pageQuery,
  plainText,
  referenceText,
  rows,
  textOrEmpty,
  timestamp,
  uuid,
} from './endpoint.ts'

export const transaction = z.object({
  transactionId: z.string(),
  referenceId: referenceText,
  fromAccountId: uuid,
  toAccountId: uuid,
  /** Paid to the recipient. */
  credit: decimalText,
  /** Paid by the sender. */
  debit: decimalText,
  transactionType: z.string(),
  state: plainText,
  chainReferenceId: textOrEmpty,
  txContractAddress: textOrEmpty,
  txContractVersion: textOrEmpty,
  createdAt: timestamp,
  /** Set once the state is PROCESSED or FAIL. */
  settledAt: orNull(timestamp),
  note: textOrEmpty,
  failReason: textOrEmpty,
})

export type Transaction = z.output<typeof transaction>

export const operationResult = z.object({
  referenceId: referenceText,
  state: plainText,
  message: textOrEmpty,
  accepted: z.boolean(),
})

const confirmResult = operationResult.extend({ chainReferenceId: textOrEmpty, txContractAddress: textOrEmpty })

export type ConfirmResult = z.output<typeof confirmResult>

const accountHistory = z.object({ transactions: rows(transaction), totalCount: integer })

/** The interface specifies only this field. */
const spend = z.looseObject({ useEscrow: z.boolean().default(false) })

export const transactions = {
  deposit: endpoint({
    method: 'POST',
    path: '/api/v1/Transaction/deposit',
    scope: 'core:transactions:create',
    body: z.strictObject({ amount: moneyNumber, note: z.string().optional() }),
    data: operationResult,
  }),
  confirmDeposit: endpoint({
    method: 'POST',
    path: '/api/v1/Transaction/deposit/confirm',
    scope: 'core:transactions:confirm',
    body: z.strictObject({ referenceId: z.string(), bankReference: z.string() }),
    data: confirmResult,
  }),
  p2p: endpoint({
    method: 'POST',
    path: '/api/v1/Transaction/p2p',
    scope: null,
    stepUp: 'always',
    body: spend,
    data: operationResult,
  }),
  purchase: endpoint({
    method: 'POST',
    path: '/api/v1/Transaction/purchase',
    scope: null,
    body: spend,
    data: operationResult,
  }),
  withdraw: endpoint({
    method: 'POST',
    path: '/api/v1/Transaction/withdraw',
    scope: null,
    stepUp: 'always',
    body: z.looseObject({}),
    data: operationResult,
  }),
  resolveDispute: endpoint({
    method: 'POST',
    path: '/api/v1/Transaction/dispute/resolve',
    scope: null,
    stepUp: 'always',
    body: resolution.extend({ referenceId: z.string() }),
    data: z.unknown(),
  }),
  read: endpoint({
    method: 'GET',
    path: '/api/v1/Transaction/{referenceId}',
    scope: 'core:transactions:read',
    data: transaction,
  }),
  history: endpoint({
    method: 'GET',
    path: '/api/v1/Transaction/account/{accountId}',
    scope: 'core:transactions:read',
    query: pageQuery,
    data: accountHistory,
  }),
} as const
