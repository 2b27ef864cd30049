import { randomUUID } from 'node:crypto'
import type { CommandKindName } from '#lib/kind-names.ts'
import type { Session } from '#lib/session/session.ts'
import { PAYEE, PAYER } from './other-console.ts'
import { now, type World } from './other-service/world.ts'

type Data = Readonly<Record<string, unknown>>

/** One change as a person asks for it. */
export interface ChangeRequest {
  readonly params: Readonly<Record<string, string>>
  /** The object on which the other service counts effects. */
  readonly on: string
  /** What a service that had made it could answer, and by name what contradicts it. */
  readonly answer: Data
  readonly contradictions: Readonly<Record<string, Data>>
}

/** A kind of change, with an object of its own to make it on. */
export interface Change {
  readonly name: string
  readonly kind: CommandKindName
  /** Reading the service tells for certain that it took effect. */
  readonly readable: boolean
  /** How the second factor has to be before. */
  readonly before?: 'pending' | 'on'
  ask(world: World, session: Session): ChangeRequest
}

const REASON = 'Both sides agree.'

/** Answers that differ from a true one in some fields, by name. */
const contradicting = (answer: Data, changes: Readonly<Record<string, Data>>): ChangeRequest['contradictions'] =>
  Object.fromEntries(Object.entries(changes).map(([name, change]) => [name, { ...answer, ...change }]))

type Decision = 'refund' | 'release'

const otherOutcome = (decision: Decision): string => (decision === 'refund' ? 'RELEASED' : 'REFUNDED')

function askCaseDecision(world: World, { userId }: Session, decision: Decision): ChangeRequest {
  const referenceId = world.dispute(PAYER, PAYEE, 20n, 25_000_000n)
  const caseId = world.raise(referenceId)
  const latestMessageId = world.cases.at(-1)?.messages.at(-1)?.id ?? ''
  const answer = {
    id: caseId,
    referenceId,
    status: 'RESOLVED',
    resolutionOutcome: null,
    resolutionReason: REASON,
    resolvedByUserId: userId,
    ...(decision === 'refund' ? { reversal: randomUUID() } : {}),
  }
  const contradictions = contradicting(answer, {
    'still open': { status: 'OPEN' },
    'another case': { id: randomUUID() },
    'another transaction': { referenceId: randomUUID() },
    'another person': { resolvedByUserId: randomUUID() },
    'the opposite outcome': { resolutionOutcome: otherOutcome(decision) },
    'still under way': { accepted: true },
    failed: { state: 'FAIL' },
  })
  return {
    params: { caseId, referenceId, decision, reason: REASON, latestMessageId },
    on: referenceId,
    answer,
    contradictions,
  }
}

function askDecision(world: World, decision: Decision): ChangeRequest {
  // A case of two strangers proves that this person sees all cases, so that none about this transaction can be proved.
  world.raise(world.dispute(PAYEE, PAYER, 5n, 0n))
  const referenceId = world.dispute(PAYER, PAYEE, 20n, 25_000_000n)
  const reversal = decision === 'refund' ? { reversal: randomUUID() } : {}
  const answer = { referenceId, state: 'PROCESSED', message: '', accepted: false, ...reversal }
  const contradictions = contradicting(answer, {
    'another transaction': { referenceId: randomUUID() },
    'still disputed': { state: 'DISPUTED' },
    'a failed transaction': { state: 'FAIL' },
    'still under way': { accepted: true },
    'a case that is open': { status: 'OPEN' },
    'the opposite outcome': { resolutionOutcome: otherOutcome(decision) },
  })
  return { params: { referenceId, decision, reason: REASON }, on: referenceId, answer, contradictions }
}

function askDisable(world: World): ChangeRequest {
  const given = { merchantId: 'shop', terminalUid: randomUUID(), label: null, registeredAt: now(), disabledAt: null }
  const id = randomUUID()
  world.terminals.push({ id, ...given })
  const answer = { id, merchantId: 'shop', terminalUid: given.terminalUid, status: 'DISABLED' }
  const contradictions = contradicting(answer, {
    'still active': { status: 'ACTIVE' },
    'another terminal': { id: randomUUID() },
    'another UID': { terminalUid: randomUUID() },
  })
  return { params: { terminalId: id, reason: 'Lost' }, on: id, answer, contradictions }
}

function askBlock(world: World): ChangeRequest {
  const id = randomUUID()
  const card = { userId: PAYER, number: '6000000000000000001', cardType: 40, printedName: 'Payer', issuedAt: now() }
  world.cards.push({ id, ...card, blocked: false })
  const answer = { id, status: 'BLOCKED' }
  const contradictions = contradicting(answer, {
    'still active': { status: 'ACTIVE' },
    'another card': { id: randomUUID() },
  })
  return { params: { cardId: id, last4: '', reason: 'Lost' }, on: id, answer, contradictions }
}

function askMessage(world: World, { userId }: Session): ChangeRequest {
  const caseId = world.raise(world.dispute(PAYER, PAYEE, 20n, 0n))
  const body = `Please answer. ${randomUUID()}`
  const sender = { senderUserId: userId, isSystemMessage: false }
  const answer = { id: randomUUID(), disputeCaseId: caseId, ...sender, body, createdAt: now() }
  const contradictions = contradicting(answer, {
    'another case': { disputeCaseId: randomUUID() },
    'another text': { body: 'Something else.' },
    'another sender': { senderUserId: randomUUID() },
    'a message of the system': { senderUserId: null, isSystemMessage: true },
  })
  return { params: { caseId, body }, on: body, answer, contradictions }
}

function askIssue(): ChangeRequest {
  const printedName = `Payer ${randomUUID().slice(0, 8)}`
  const card = { id: randomUUID(), userId: PAYER, cardNumber: '6000000000000001234', last4: '1234' }
  const kind = { cardType: JSON.rawJSON('40'), cardTypeName: '', printedName, status: 'UNISSUED', frozen: false }
  const answer = { ...card, ...kind, issuedAt: now() }
  const contradictions = contradicting(answer, {
    'another holder': { userId: PAYEE },
    'another type': { cardType: JSON.rawJSON('41') },
    'another name': { printedName: 'Somebody Else' },
    'other digits': { last4: '9999' },
    'a card in use': { status: 'ACTIVE' },
  })
  return { params: { userId: PAYER, cardType: '40', printedName }, on: printedName, answer, contradictions }
}

function askConfirm(world: World): ChangeRequest {
  const referenceId = world.announce(PAYER, 250n)
  const answer = { referenceId, state: 'PROCESSING', message: '', accepted: false }
  const contradictions = contradicting(answer, {
    'another deposit': { referenceId: randomUUID() },
    'still queued': { state: 'QUEUED' },
    'still pending': { state: 'PENDING' },
    'a failed deposit': { state: 'FAIL' },
    'a state without a name': { state: '' },
    'still under way': { accepted: true },
  })
  return {
    params: { referenceId, bankReference: randomUUID(), statementAmount: '250' },
    on: referenceId,
    answer,
    contradictions,
  }
}

function askRegister(): ChangeRequest {
  const terminalUid = `uid ${randomUUID()}`
  const answer = { id: randomUUID(), merchantId: 'shop', terminalUid, label: null, status: 'ACTIVE' }
  const contradictions = contradicting(answer, {
    'another UID': { terminalUid: randomUUID() },
    'another merchant': { merchantId: 'another shop' },
    'another label': { label: 'Elsewhere' },
    disabled: { status: 'DISABLED' },
  })
  return { params: { merchantId: 'shop', terminalUid, label: '' }, on: terminalUid, answer, contradictions }
}

const askFactor =
  (enrolled: boolean) =>
  (_world: World, { userId }: Session): ChangeRequest => {
    const answer = { enrolled, enrolledAt: enrolled ? now() : null, lockedUntil: null }
    const contradictions = contradicting(answer, { 'the opposite': { enrolled: !enrolled } })
    return { params: {}, on: userId ?? '', answer, contradictions }
  }

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
      ask: (world, session) => askCaseDecision(world, session, decision),
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
export const factorChanges: readonly Change[] = [
  { name: 'totp.confirm', kind: 'totp.confirm', readable: true, ask: askFactor(true), before: 'pending' },
  { name: 'totp.remove', kind: 'totp.remove', readable: true, ask: askFactor(false), before: 'on' },
]
