import { type Call, gate, ok, pageOf, type Reply, refuse, same } from './reply.ts'
import { resolutionReply } from './resolution-reply.ts'
import type { Payment } from './world.ts'

const PLACES = 8

const money = (units: bigint): string => {
  const digits = units.toString().padStart(PLACES + 1, '0')
  return `${digits.slice(0, -PLACES)}.${digits.slice(-PLACES)}`
}

/** Without the fields that may be empty, where they are. */
const shown = (payment: Payment) => ({
  transactionId: `${payment.referenceId}@${payment.state}`,
  referenceId: payment.referenceId,
  fromAccountId: payment.fromAccountId,
  toAccountId: payment.toAccountId,
  credit: money(payment.units),
  debit: money(payment.units + payment.fee),
  transactionType: payment.type,
  state: payment.state,
  chainReferenceId: '',
  txContractAddress: '',
  txContractVersion: '',
  createdAt: payment.createdAt,
  settledAt: payment.settledAt,
  note: payment.note,
  failReason: payment.failReason,
})

export function readOne({ world, id }: Call): Reply {
  const payment = world.payment(id)
  return payment === undefined ? refuse(404) : ok(shown(payment))
}

export function history({ world, id, query }: Call): Reply {
  const rows = world.payments.filter(
    ({ fromAccountId, toAccountId }) => same(fromAccountId, id) || same(toAccountId, id),
  )
  return ok({ transactions: pageOf(rows.toReversed(), query).map(shown), totalCount: rows.length })
}

/** Minted at PROCESSING. What is BLOCKED or has failed on its way there was never credited. */
export function confirm({ world, caller, body }: Call): Reply {
  const payment = world.payment(String(body.referenceId))
  if (payment === undefined || String(body.bankReference ?? '') === '') return refuse(404)
  if (payment.state !== 'QUEUED') return refuse(400)
  const { status, becomes } = world.variant.confirming
  world.moveDeposit(payment, becomes, caller)
  const state = status === 202 ? 'PENDING' : 'PROCESSING'
  const operation = { referenceId: payment.referenceId, state: state, message: '', accepted: status === 202 }
  return { status, data: { ...operation, chainReferenceId: '', txContractAddress: '' } }
}

export function resolveTransaction(call: Call): Reply {
  const { world, body } = call
  const refused = gate(call)
  if (refused !== null) return refused
  const payment = world.payment(String(body.referenceId))
  if (payment === undefined) return refuse(404)
  if (payment.state !== 'DISPUTED') return refuse(400)
  return resolutionReply(world, world.decide(payment, body.releaseToRecipient === true, call.caller))
}
