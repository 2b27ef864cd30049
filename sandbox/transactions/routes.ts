import type { FastifyInstance } from 'fastify'
import { endpoints } from '#lib/contract/endpoints.ts'
import { resolveByTransaction } from '#sandbox/disputes/resolve-by-transaction.ts'
import { readPage } from '#sandbox/http/page.ts'
import { type Gate, serve } from '#sandbox/http/serve.ts'
import { confirmDeposit } from './confirm-deposit.ts'
import { accountHistory } from './history.ts'
import { initiateDeposit } from './initiate-deposit.ts'
import { purchase } from './purchase.ts'
import { readTransaction } from './read.ts'
import { transferToUser } from './transfer.ts'
import { withdraw } from './withdraw.ts'

/** The interface names no scope for spending. */
const spending = <Row extends object>(row: Row) => ({ ...row, scope: 'core:transactions:create' as const })

/** The interface names no scope for resolving by transaction. */
const resolving = <Row extends object>(row: Row) => ({ ...row, scope: 'core:disputes:resolve' as const })

export function serveTransactions(app: FastifyInstance, gate: Gate): void {
  const { world } = gate
  const { transactions } = endpoints
  serve(app, gate, transactions.deposit, ({ body }, caller) => initiateDeposit(world, caller, body))
  serve(app, gate, transactions.confirmDeposit, ({ body, slow }) => confirmDeposit(world, body, slow))
  serve(app, gate, spending(transactions.p2p), ({ body, slow }, caller) => transferToUser(world, caller, body, slow))
  serve(app, gate, spending(transactions.purchase), ({ body, slow }, caller) => purchase(world, caller, body, slow))
  serve(app, gate, spending(transactions.withdraw), ({ body }, caller) => withdraw(world, caller, body))
  serve(app, gate, resolving(transactions.resolveDispute), ({ body }, caller) =>
    resolveByTransaction(world, caller, body),
  )
  serve(app, gate, transactions.read, ({ params }, caller) => readTransaction(world, caller, params.referenceId))
  serve(app, gate, transactions.history, ({ params, query }, caller) =>
    accountHistory(world, caller, params.accountId, readPage(query)),
  )
}
