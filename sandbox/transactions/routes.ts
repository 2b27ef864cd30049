import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { uuid } from '#lib/contract/endpoint.ts'
import { endpoints } from '#lib/contract/endpoints.ts'
import type { Scope } from '#lib/contract/scopes.ts'
import { requireUsableCard } from '#sandbox/cards/spend-check.ts'
import { partiesOf, refuseParty } from '#sandbox/disputes/parties.ts'
import { moveMoney, type Resolution, readResolution, reversalOf } from '#sandbox/disputes/resolution.ts'
import type { Caller } from '#sandbox/http/caller.ts'
import { type Page, readPage } from '#sandbox/http/page.ts'
import { invalidField, Refusal } from '#sandbox/http/problem.ts'
import { type Answer, type Gate, ok, readBy, serve } from '#sandbox/http/serve.ts'
import { RESERVE_ACCOUNT_ID } from '#sandbox/ledger/accounts.ts'
import { readAmount, type Units } from '#sandbox/ledger/amount.ts'
import { lockedCurrentRow, lockLedger } from '#sandbox/ledger/append.ts'
import { acceptConfirmation, mintIntoEscrow, queueDeposit, scheduleMint } from '#sandbox/ledger/deposit.ts'
import { newReference } from '#sandbox/ledger/reference.ts'
import { currentRow, type LedgerRow } from '#sandbox/ledger/rows.ts'
import {
  covers,
  FEES,
  type GasTier,
  withdraw as payOut,
  REFERENCE_KINDS,
  type Spend,
  spendInstantly,
  spendProtected,
} from '#sandbox/ledger/spend.ts'
import type { Trx } from '#sandbox/world/tables.ts'
import type { World } from '#sandbox/world/world.ts'
import { p2pRequest, purchaseRequest, withdrawRequest } from './spend-requests.ts'
import { operationBody, transactionBody } from './wire.ts'

/** The interface names no scope for spending and for resolving by transaction. */
const SPENDING = 'core:transactions:create'
const scoped = <Row extends object>(row: Row, scope: Scope) => ({ ...row, scope })

export function serveTransactions(app: FastifyInstance, gate: Gate): void {
  const { world } = gate
  const { transactions } = endpoints
  serve(app, gate, transactions.deposit, ({ body }, caller) => initiateDeposit(world, caller, body))
  serve(app, gate, transactions.confirmDeposit, ({ body, slow }) => confirmDeposit(world, body, slow))
  serve(app, gate, scoped(transactions.p2p, SPENDING), ({ body, slow }, caller) =>
    transferToUser(world, caller, body, slow),
  )
  serve(app, gate, scoped(transactions.purchase, SPENDING), ({ body, slow }, caller) =>
    purchase(world, caller, body, slow),
  )
  serve(app, gate, scoped(transactions.withdraw, SPENDING), ({ body }, caller) => withdraw(world, caller, body))
  serve(app, gate, scoped(transactions.resolveDispute, 'core:disputes:resolve'), ({ body }, caller) =>
    resolveByTransaction(world, caller, body),
  )
  serve(app, gate, transactions.read, ({ params }, caller) => readTransaction(world, caller, params.referenceId))
  serve(app, gate, transactions.history, ({ params, query }, caller) =>
    accountHistory(world, caller, params.accountId.toLowerCase(), readPage(query)),
  )
}

const BANK_REFERENCE_MAX_CHARS = 140

/** Credits once: a second call finds the deposit no longer QUEUED (interface.md, "Transaction transitions"). */
async function confirmDeposit(
  world: World,
  input: { readonly referenceId: string; readonly bankReference: string },
  slow: boolean,
): Promise<Answer> {
  const bankReference = input.bankReference.trim()
  if (bankReference === '') throw invalidField('bankReference', 'is required')
  if (bankReference.length > BANK_REFERENCE_MAX_CHARS) {
    throw invalidField('bankReference', `has at most ${BANK_REFERENCE_MAX_CHARS} characters`)
  }
  return await world.db.transaction().execute(async (trx) => {
    const row = await lockedCurrentRow(trx, input.referenceId)
    if (row === undefined) throw transactionNotFound()
    if (row.transaction_type !== 'DEPOSIT' || row.state !== 'QUEUED') {
      const title = `Only a queued deposit can be confirmed; this is ${row.state}.`
      throw new Refusal(409, 'core::kineto::deposit::confirm::fail', title)
    }
    const pending = await acceptConfirmation(trx, row, bankReference, world.clock.now())
    if (slow) await scheduleMint(trx, pending)
    const confirmed = slow ? pending : await mintIntoEscrow(trx, pending, world.clock.now())
    const message = slow ? 'Accepted; the balance is being minted.' : 'Confirmed; held for 24 hours.'
    const chain = { chainReferenceId: confirmed.chain_reference_id, txContractAddress: confirmed.tx_contract_address }
    return { status: slow ? 202 : 200, data: { ...operationBody(confirmed, message, slow), ...chain } }
  })
}

/** Newest first. Positions never change, so a page is a range of positions: the last page is as fast as the first. */
async function accountHistory(world: World, caller: Caller, accountId: string, page: Page): Promise<Answer> {
  if (!uuid.safeParse(accountId).success) throw invalidField('accountId', 'must be a UUID')
  const visible = accountId === caller.userId || caller.can.seesAllTransactions === true
  const account = await world.db.selectFrom('account').select('id').where('id', '=', accountId).executeTakeFirst()
  if (!visible || account === undefined) throw new Refusal(404, 'core::kineto::account::not_found', 'No such account.')

  const { total } = await world.db
    .selectFrom('ledger_history')
    .select((row) => row.fn.coalesce(row.fn.max('position'), sql<number>`0`).as('total'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  const newest = total - (page.page - 1) * page.pageSize
  const { rows } = await sql<LedgerRow>`
    SELECT r.* FROM ledger_history h
    CROSS JOIN LATERAL (
      SELECT * FROM ledger_row WHERE reference_id = h.reference_id ORDER BY version DESC LIMIT 1
    ) r
    WHERE h.account_id = ${accountId} AND h.position <= ${newest} AND h.position > ${newest - page.pageSize}
    ORDER BY h.position DESC`.execute(world.db)
  return ok({ transactions: rows.map(transactionBody), totalCount: total })
}

const NOTE_MAX_CHARS = 500

async function initiateDeposit(
  world: World,
  caller: Caller,
  input: { readonly amount: string; readonly note?: string | undefined },
): Promise<Answer> {
  const units = requiredAmount(input.amount)
  if ((input.note?.length ?? 0) > NOTE_MAX_CHARS) throw invalidField('note', `has at most ${NOTE_MAX_CHARS} characters`)
  const row = await world.db.transaction().execute(async (trx) => {
    await lockLedger(trx)
    const at = world.clock.now()
    const referenceId = newReference('DEP', at)
    return await queueDeposit(trx, { referenceId, to: caller.userId, units, note: input.note ?? '', at })
  })
  return ok(operationBody(row, 'Send the money to the bank with this reference.', false))
}

async function purchase(world: World, caller: Caller, body: unknown, slow: boolean): Promise<Answer> {
  const { merchantId, cardId = null, ...request } = readBy(purchaseRequest, body)
  const merchant = await world.db
    .selectFrom('merchant')
    .select('account_id')
    .where('id', '=', merchantId)
    .executeTakeFirstOrThrow(() => refused('PURCHASE', 'There is no such merchant.'))
  return await spend(world, {
    ...request,
    type: 'PURCHASE',
    from: caller.userId,
    to: merchant.account_id,
    cardId,
    slow,
    async check(trx, debit, now) {
      if (cardId !== null) await requireUsableCard(trx, cardId, caller.userId, debit, now)
    },
  })
}

async function withdraw(world: World, caller: Caller, body: unknown): Promise<Answer> {
  const { amount, note } = readBy(withdrawRequest, body)
  return await spend(world, { amount, note, type: 'WITHDRAWAL', from: caller.userId, to: RESERVE_ACCOUNT_ID })
}

/** Does not close the case; the case's endpoint does. */
async function resolveByTransaction(
  world: World,
  caller: Caller,
  { referenceId, ...given }: Resolution & { readonly referenceId: string },
): Promise<Answer> {
  const resolution = readResolution(given)
  if (referenceId.includes('\0')) throw transactionNotFound()
  return await world.db.transaction().execute(async (trx) => {
    const row = await lockedCurrentRow(trx, referenceId)
    if (row === undefined || !visibleTo(caller, row)) throw transactionNotFound()
    const { sender, recipient } = await partiesOf(trx, row)
    refuseParty(caller, [sender, recipient])
    if (row.state !== 'DISPUTED') {
      const title = `Only a DISPUTED transaction can be resolved; this is ${row.state}.`
      throw new Refusal(409, 'core::kineto::dispute::resolve::fail', title)
    }
    const reversal = await moveMoney(trx, row, resolution, world.clock.now())
    const message = reversal === null ? 'The recipient keeps the money.' : 'The sender is refunded.'
    return ok({ ...operationBody({ ...row, state: 'PROCESSED' }, message, false), ...reversalOf(reversal) })
  })
}

export async function readTransaction(world: World, caller: Caller, referenceId: string): Promise<Answer> {
  // PostgreSQL cannot compare text with NUL.
  const row = referenceId.includes('\0') ? undefined : await currentRow(world.db, referenceId)
  if (row === undefined || !visibleTo(caller, row)) throw transactionNotFound()
  return ok(transactionBody(row))
}

const transactionNotFound = (): Refusal => new Refusal(404, 'core::kineto::not_found', 'No such transaction.')

const visibleTo = (caller: Caller, row: LedgerRow): boolean =>
  caller.can.seesAllTransactions === true ||
  row.from_account_id === caller.userId ||
  row.to_account_id === caller.userId

export async function transferToUser(world: World, caller: Caller, body: unknown, slow: boolean): Promise<Answer> {
  const { recipientId, ...request } = readBy(p2pRequest, body)
  return await spend(world, {
    ...request,
    type: 'P2P',
    from: caller.userId,
    to: recipientId,
    slow,
    async check(trx) {
      await trx
        .selectFrom('account')
        .select('id')
        .where('id', '=', recipientId)
        .where('kind', '=', 'wallet')
        .executeTakeFirstOrThrow(() => refused('P2P', 'There is no such recipient.'))
    },
  })
}

interface SpendRequest extends Pick<Spend, 'type' | 'from' | 'to' | 'note' | 'cardId'> {
  readonly amount: string
  readonly gasTier?: GasTier
  readonly useEscrow?: boolean
  readonly slow?: boolean
  /** Runs under the ledger's lock. Throws to refuse. */
  check?(trx: Trx, debit: Units, now: string): Promise<void>
}

function requiredAmount(literal: string): Units {
  const amount = readAmount(literal)
  if (!amount.ok) throw invalidField('amount', amount.why)
  return amount.units
}

/** Checks and writes under one lock, so that concurrent spends cannot use the same money. */
async function spend(world: World, request: SpendRequest): Promise<Answer> {
  const units = requiredAmount(request.amount)
  if (request.from === request.to) throw refused(request.type, 'Nobody can pay themselves.')
  return answerOf(await world.db.transaction().execute((trx) => write(world, trx, request, units)), request)
}

async function write(world: World, trx: Trx, request: SpendRequest, units: Units): Promise<LedgerRow> {
  await lockLedger(trx)
  const at = world.clock.now()
  const { type, from, to, note, cardId, useEscrow = false, gasTier = 'STANDARD', slow = false } = request
  const fee = useEscrow ? FEES[gasTier] : 0n
  await request.check?.(trx, units + fee, at)
  if (!(await covers(trx, from, units))) throw refused(type, 'The available balance does not cover this.')
  const made: Spend = { referenceId: newReference(REFERENCE_KINDS[type], at), type, from, to, units, note, cardId, at }
  if (type === 'WITHDRAWAL') return await payOut(trx, made)
  return useEscrow ? await spendProtected(trx, made, fee, slow) : await spendInstantly(trx, made)
}

function answerOf(row: LedgerRow, { slow = false, useEscrow = false }: SpendRequest): Answer {
  const accepted = slow && useEscrow && row.state === 'PROCESSING'
  const messages: Readonly<Record<string, string>> = {
    QUEUED: 'The bank pays it out.',
    PROCESSED: 'Done.',
    PROCESSING: accepted ? 'Accepted; the chain has not confirmed it yet.' : 'Held in escrow for the dispute window.',
    FAIL: row.fail_reason,
  }
  return { status: accepted ? 202 : 200, data: operationBody(row, messages[row.state] ?? '', accepted) }
}

const refused = (type: Spend['type'], title: string): Refusal => {
  const operation = { P2P: 'p2p', PURCHASE: 'purchase', WITHDRAWAL: 'withdraw' }[type]
  return new Refusal(400, `core::kineto::${operation}::initiate::fail`, title)
}
