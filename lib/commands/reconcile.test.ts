import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CommandKindName } from '#lib/kind-names.ts'
import type { Session } from '#lib/session/session.ts'
import { kindOrFail, serviceKindOrFail } from '#lib/testing/command-run.ts'
import { newDeposit } from '#lib/testing/gated-deposit.ts'
import { ok, type Scripted, ScriptedService } from '#lib/testing/scripted-service.ts'
import { signedIn } from '#lib/testing/signed-in.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import type { AcceptedAnswer } from './command.ts'
import type { AnyFacts } from './kind.ts'
import { readsEffect } from './view.ts'

/** What a look concludes: it took effect, it ended without, or nothing; and whether the service is as it was. */
type Concluded = 'applied' | 'without effect' | 'as it was' | 'nothing'

const [ME, OTHER] = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b']
const [ANA, BEN] = ['00000000-0000-4000-8000-000000000011', '00000000-0000-4000-8000-000000000012']
const AT = '2026-11-20T10:00:00.0000000Z'

let service: ScriptedService
let session: Session

beforeAll(async () => {
  service = await ScriptedService.start()
})
beforeEach(async () => {
  service.reset()
  await freshConsole({ CORE_API_URL: service.url })
  session = await signedIn(0)
})
afterAll(() => service.stop())

async function looked(
  name: CommandKindName,
  params: unknown,
  {
    facts = {},
    actor = ME,
    answer = null,
  }: { facts?: AnyFacts; actor?: string | null; answer?: AcceptedAnswer | null } = {},
): Promise<Concluded> {
  const look = await serviceKindOrFail(name).reconcile?.(session, params, {
    facts,
    actorUserId: actor,
    sentAt: AT,
    answer,
  })
  if (look === undefined || !('settled' in look)) throw new Error(JSON.stringify(look))
  expect(look.shows).not.toBe('')
  if (look.settled) return 'description' in look ? 'applied' : 'without effect'
  return look.showsNoEffect ? 'as it was' : 'nothing'
}

describe('confirming a deposit', () => {
  test.each<[state: string, concluded: Concluded]>([
    ['QUEUED', 'as it was'],
    ['PENDING', 'nothing'],
    ['PROCESSING', 'applied'],
    ['PROCESSED', 'applied'],
    ['DISPUTED', 'applied'],
    ['BLOCKED', 'nothing'],
    ['FAIL', 'without effect'],
    ['ON_THE_MOON', 'nothing'],
  ])('a deposit that is %s: %s', async (state, concluded) => {
    const deposit = newDeposit()
    service.on(deposit.read, deposit.in(state))
    const { referenceId } = deposit
    expect(await looked('deposit.confirm', { referenceId }, { facts: { referenceId } })).toBe(concluded)
  })

  test('concludes nothing from another deposit', async () => {
    const [one, other] = [newDeposit(), newDeposit()]
    service.on(one.read, other.in('PROCESSING'))
    const { referenceId } = one
    expect(await looked('deposit.confirm', { referenceId }, { facts: { referenceId } })).toBe('nothing')
  })
})

const CASE = randomUUID()
const REASON = 'The parcel never left the depot.'

function theCase(change: Readonly<Record<string, unknown>>): Scripted {
  return ok({
    id: CASE,
    referenceId: 'P2P~1',
    raisedByUserId: ANA,
    counterpartyUserId: BEN,
    status: 'RESOLVED',
    reason: 'Never came.',
    resolutionOutcome: 'SOMETHING',
    resolutionReason: REASON,
    resolvedByUserId: ME,
    createdAt: AT,
    resolvedAt: AT,
    messages: [],
    ...change,
  })
}

const OPPOSITE: Readonly<Record<string, string>> = { refund: 'RELEASED', release: 'REFUNDED' }
const SIMILAR: Readonly<Record<string, string>> = { refund: 'RELEASED_TO_SENDER', release: 'REFUND_DENIED' }

const OPEN = {
  status: 'OPEN',
  resolutionOutcome: null,
  resolutionReason: null,
  resolvedByUserId: null,
  resolvedAt: null,
}

describe.each(['refund', 'release'])('resolving a case by a %s', (decision) => {
  test.each<[what: string, change: Readonly<Record<string, unknown>>, actor: string | null, concluded: Concluded]>([
    ['open', OPEN, ME, 'as it was'],
    ['resolved by this person with this reason', {}, ME, 'applied'],
    ['resolved by this person, the id in capitals', { resolvedByUserId: ME.toUpperCase() }, ME, 'applied'],
    ['resolved by this person with another reason', { resolutionReason: 'Else.' }, ME, 'nothing'],
    ['resolved by this person with the opposite outcome', { resolutionOutcome: OPPOSITE[decision] }, ME, 'nothing'],
    ['resolved with a word like the opposite', { resolutionOutcome: SIMILAR[decision] }, ME, 'applied'],
    ['resolved by somebody else', { resolvedByUserId: OTHER, resolutionReason: 'Else.' }, ME, 'without effect'],
    ['resolved by somebody else with the same reason', { resolvedByUserId: OTHER }, ME, 'without effect'],
    ['resolved, and nothing tells by whom', { resolvedByUserId: null }, ME, 'nothing'],
    ['resolved with this reason, and who sent it is not known here', {}, null, 'nothing'],
    ['resolved with another reason, and who sent it is not known', { resolutionReason: 'Else.' }, null, 'nothing'],
    ['in a state that is new', { status: 'ON_THE_MOON' }, ME, 'nothing'],
  ])('a case that is %s', async (_what, change, actor, concluded) => {
    service.on(`GET /api/v1/Dispute/${CASE}`, theCase(change))
    service.on(`GET /api/v1/Dispute/${CASE}/messages?page=1&pageSize=100`, ok({ messages: [], totalCount: 0 }))
    const facts = { fromAccountId: ANA, toAccountId: BEN, debit: '20.00000000', credit: '20.00000000' }
    const params = { caseId: CASE, referenceId: 'P2P~1', decision, reason: REASON, latestMessageId: '' }
    expect(await looked('dispute.resolve', params, { facts, actor })).toBe(concluded)
  })
})

describe.each(['refund', 'release'])('resolving a transaction by a %s', (decision) => {
  test.each<[state: string, answer: AcceptedAnswer | null, concluded: Concluded]>([
    ['DISPUTED', null, 'as it was'],
    ['PROCESSED', null, 'nothing'],
    ['PROCESSED', 'unclear', 'nothing'],
    ['PROCESSED', 'under-way', 'nothing'],
    ['PROCESSED', 'success', 'applied'],
    ['DISPUTED', 'success', 'as it was'],
    ['PROCESSING', 'success', 'nothing'],
    ['FAIL', 'success', 'nothing'],
    ['BLOCKED', null, 'nothing'],
    ['ON_THE_MOON', 'success', 'nothing'],
  ])('a transaction that is %s after the answer %j: %s', async (state, answer, concluded) => {
    const deposit = newDeposit()
    service.on(deposit.read, deposit.in(state))
    const facts = { referenceId: deposit.referenceId, debit: '250.00000000', credit: '250.00000000' }
    const params = { referenceId: deposit.referenceId, decision, reason: REASON }
    const parties = { fromAccountId: ANA, toAccountId: BEN }
    expect(await looked('transaction.resolve', params, { facts: { ...facts, ...parties }, answer })).toBe(concluded)
  })
})

describe('a message', () => {
  const message = (id: string, senderUserId: string | null) => ({
    id,
    disputeCaseId: CASE,
    senderUserId,
    isSystemMessage: senderUserId === null,
    body: 'Check again.',
    createdAt: AT,
  })
  const [one, two] = [randomUUID(), randomUUID()]
  test.each<[what: string, messages: readonly unknown[], actor: string | null, concluded: Concluded]>([
    ['not there', [], ME, 'as it was'],
    ['there by this person', [message(two, ME)], ME, 'applied'],
    ['there by somebody else', [message(two, OTHER)], ME, 'as it was'],
    ['there as one of the system', [message(two, null)], ME, 'as it was'],
    ['there before already', [message(one, ME)], ME, 'as it was'],
    ['there, and who sent it is not known here', [message(two, OTHER)], null, 'nothing'],
  ])('that is %s', async (_what, messages, actor, concluded) => {
    service.on(`GET /api/v1/Dispute/${CASE}`, theCase({ ...OPEN, messages }))
    const page = ok({ messages, totalCount: messages.length })
    service.on(`GET /api/v1/Dispute/${CASE}/messages?page=1&pageSize=100`, page)
    const params = { caseId: CASE, body: 'Check again.' }
    const facts = { status: 'OPEN', same: one, whole: 'yes' }
    expect(await looked('dispute.message', params, { facts, actor })).toBe(concluded)
  })
})

const terminal = (change: Readonly<Record<string, unknown>>) => ({
  id: randomUUID(),
  merchantId: 'merchant-001',
  terminalUid: 'UID-1',
  label: 'Till 1',
  status: 'ACTIVE',
  registeredAt: AT,
  updatedAt: AT,
  ...change,
})

describe('registering a terminal', () => {
  test.each<[what: string, list: readonly unknown[], concluded: Concluded]>([
    ['does not have the UID', [terminal({ terminalUid: 'UID-2' })], 'as it was'],
    ['has the UID with this label', [terminal({})], 'applied'],
    ['has the UID with this label, disabled since', [terminal({ status: 'DISABLED' })], 'applied'],
    ['has the UID with another label', [terminal({ label: 'Till 2' })], 'nothing'],
    ['has the UID at another merchant', [terminal({ merchantId: 'merchant-002' })], 'nothing'],
    ['has a row that cannot be read', [{ broken: true }], 'nothing'],
  ])('a list that %s', async (_what, list, concluded) => {
    service.on('GET /api/v1/merchant-terminals?merchantId=merchant-001', ok({ terminals: list }))
    const params = { merchantId: 'merchant-001', terminalUid: 'UID-1', label: 'Till 1' }
    expect(await looked('terminal.register', params)).toBe(concluded)
  })
})

describe('disabling a terminal', () => {
  test.each<[status: string, concluded: Concluded]>([
    ['ACTIVE', 'as it was'],
    // Whoever did it: what was wanted holds.
    ['DISABLED', 'applied'],
    ['ON_THE_MOON', 'nothing'],
  ])('a terminal that is %s: %s', async (status, concluded) => {
    const found = terminal({ status })
    service.on(`GET /api/v1/merchant-terminals/${found.id}`, ok(found))
    const facts = { merchantId: 'merchant-001', terminalUid: 'UID-1' }
    expect(await looked('terminal.disable', { terminalId: found.id, reason: 'Lost' }, { facts })).toBe(concluded)
  })
})

describe('one’s own second factor', () => {
  test.each<[name: CommandKindName, enrolled: boolean, concluded: Concluded]>([
    ['totp.enrol', false, 'as it was'],
    ['totp.enrol', true, 'applied'],
    ['totp.confirm', false, 'as it was'],
    ['totp.confirm', true, 'applied'],
    ['totp.remove', true, 'as it was'],
    ['totp.remove', false, 'applied'],
  ])('%s where it is set up: %s', async (name, enrolled, concluded) => {
    service.on('GET /api/v1/Security/totp', ok({ enrolled, enrolledAt: enrolled ? AT : null, lockedUntil: null }))
    expect(await looked(name, {})).toBe(concluded)
  })
})

test.each<CommandKindName>(['card.issue', 'card.register', 'card.block'])('nobody can read %s', (name) => {
  expect(readsEffect(kindOrFail(name))).toBe(false)
})
