import { randomUUID } from 'node:crypto'
import type { CommandKindName } from '#lib/kind-names.ts'
import type { Session } from '#lib/session/session.ts'
import { PAYEE, PAYER } from './other-console.ts'
import { now, type World } from './other-service/world.ts'

/** One change as a person asks for it, and the object on which the other service counts effects. */
interface Asked {
  readonly params: Readonly<Record<string, string>>
  readonly on: string
}

/** A kind of change, with an object of its own to make it on. */
export interface Change {
  readonly name: string
  readonly kind: CommandKindName
  /** Reading the service tells for certain that it took effect. */
  readonly readable: boolean
  ask(world: World, session: Session): Asked
}

const REASON = 'Both sides agree.'

function askCaseDecision(world: World, decision: 'refund' | 'release'): Asked {
  const referenceId = world.dispute(PAYER, PAYEE, 20n, 25_000_000n)
  const caseId = world.raise(referenceId)
  const latestMessageId = world.cases.at(-1)?.messages.at(-1)?.id ?? ''
  return { params: { caseId, referenceId, decision, reason: REASON, latestMessageId }, on: referenceId }
}

function askDecision(world: World, decision: 'refund' | 'release'): Asked {
  // A case of two strangers proves that this person sees all cases, so that none about this transaction can be proved.
  world.raise(world.dispute(PAYEE, PAYER, 5n, 0n))
  const referenceId = world.dispute(PAYER, PAYEE, 20n, 25_000_000n)
  return { params: { referenceId, decision, reason: REASON }, on: referenceId }
}

function askDisable(world: World): Asked {
  const given = { merchantId: 'shop', terminalUid: randomUUID(), label: null, registeredAt: now(), disabledAt: null }
  const id = randomUUID()
  world.terminals.push({ id, ...given })
  return { params: { terminalId: id, reason: 'Lost' }, on: id }
}

function askBlock(world: World): Asked {
  const id = randomUUID()
  const card = { userId: PAYER, number: '6000000000000000001', cardType: 40, printedName: 'Payer', issuedAt: now() }
  world.cards.push({ id, ...card, blocked: false })
  return { params: { cardId: id, last4: '', reason: 'Lost' }, on: id }
}

function askMessage(world: World): Asked {
  const caseId = world.raise(world.dispute(PAYER, PAYEE, 20n, 0n))
  const body = `Please answer. ${randomUUID()}`
  return { params: { caseId, body }, on: body }
}

const askIssue = (): Asked => {
  const printedName = `Payer ${randomUUID().slice(0, 8)}`
  return { params: { userId: PAYER, cardType: '40', printedName }, on: printedName }
}

const askConfirm = (world: World): Asked => {
  const referenceId = world.announce(PAYER, 250n)
  return { params: { referenceId, bankReference: randomUUID(), statementAmount: '250' }, on: referenceId }
}

const askRegister = (): Asked => {
  const terminalUid = `uid ${randomUUID()}`
  return { params: { merchantId: 'shop', terminalUid, label: '' }, on: terminalUid }
}

const askFactor = (_world: World, { userId }: Session): Asked => ({ params: {}, on: userId ?? '' })

/** Every change of something at the service that takes no code of its own. */
export const changes: readonly Change[] = [
  { name: 'deposit.confirm', kind: 'deposit.confirm', readable: true, ask: askConfirm },
  { name: 'card.issue', kind: 'card.issue', readable: false, ask: askIssue },
  { name: 'card.block', kind: 'card.block', readable: false, ask: askBlock },
  { name: 'terminal.register', kind: 'terminal.register', readable: true, ask: askRegister },
  { name: 'terminal.disable', kind: 'terminal.disable', readable: true, ask: askDisable },
  { name: 'dispute.message', kind: 'dispute.message', readable: true, ask: askMessage },
  ...(['refund', 'release'] as const).flatMap((decision): Change[] => [
    {
      name: `dispute.resolve, ${decision}`,
      kind: 'dispute.resolve',
      readable: true,
      ask: (world) => askCaseDecision(world, decision),
    },
    {
      name: `transaction.resolve, ${decision}`,
      kind: 'transaction.resolve',
      readable: false,
      ask: (world) => askDecision(world, decision),
    },
  ]),
]

/** Those of one's own second factor, whose request itself carries a code. */
export const factorChanges: readonly (Change & { readonly before: 'pending' | 'on' })[] = [
  { name: 'totp.confirm', kind: 'totp.confirm', readable: true, ask: askFactor, before: 'pending' },
  { name: 'totp.remove', kind: 'totp.remove', readable: true, ask: askFactor, before: 'on' },
]
