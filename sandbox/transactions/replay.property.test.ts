import fc from 'fast-check'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { LONG } from '#lib/testing/runs.ts'
import { accountIdOf, merchants } from '#sandbox/seed/merchants.ts'
import { people, userIdEndingIn } from '#sandbox/seed/people.ts'
import { HOLDERS } from '#sandbox/seed/test-world.ts'
import { ledgerFaults } from '#sandbox/testing/ledger-faults.ts'
import { replayOf, servedBalances } from '#sandbox/testing/replay.ts'
import { type Answered, type TestSandbox, testSandbox } from '#sandbox/testing/test-sandbox.ts'

const OPERATOR = 'operator@example.com'
/** Arbitrates, and is not enrolled in two-factor security. */
const NEWCOMER = 'newcomer@example.com'
const RUNS = LONG ? 200 : 20
const LENGTH_MAX = 30
const HOUR = 3600

const ACCOUNTS = [...people.map(({ ending }) => userIdEndingIn(ending)), ...merchants.map(accountIdOf)]

let box: TestSandbox

beforeAll(async () => {
  box = await testSandbox()
})
beforeEach(() => box.reset())

const kinds = [
  'deposit',
  'confirm',
  'pay',
  'buy',
  'spend-all',
  'withdraw',
  'dispute',
  'resolve-case',
  'resolve-transaction',
  'block',
  'unblock',
  'fail',
  'reverse',
  'wait',
] as const

const amount = fc.oneof(
  fc.constantFrom('0.00000001', '1', '1e1', '2.5E-1', '12.34567891', '100.00', '1000'),
  fc.integer({ min: 1, max: 500_000_000 }).map((units) => `${units}e-7`),
)

/** One step of a run: what to try, who, to whom, how much, and which of the transactions so far it is about. */
const step = fc.record({
  kind: fc.constantFrom(...kinds),
  who: fc.constantFrom(...HOLDERS),
  whom: fc.constantFrom(...HOLDERS),
  shop: fc.constantFrom('merchant-001', 'merchant-002', 'merchant-003'),
  amount,
  gasTier: fc.constantFrom('SLOW', 'STANDARD', 'FAST'),
  useEscrow: fc.boolean(),
  slow: fc.boolean(),
  release: fc.boolean(),
  which: fc.nat(),
  hours: fc.nat({ max: 80 }),
})

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** The state of what a step is about; seldom another, so that refusals are part of a run as well. */
const needs: Readonly<Record<string, string>> = {
  confirm: 'QUEUED',
  dispute: 'PROCESSING',
  'resolve-case': 'DISPUTED',
  'resolve-transaction': 'DISPUTED',
  block: 'PROCESSING',
  unblock: 'BLOCKED',
  fail: 'PROCESSING',
  reverse: 'PROCESSING',
}

/** What a run has made so far. */
interface Made {
  readonly references: string[]
  readonly cases: { readonly id: string; readonly referenceId: string }[]
}

async function take(given: Step, made: Made): Promise<Answered> {
  const { kind, who, whom, shop, gasTier, useEscrow, which } = given
  const [ending, as] = who
  if (kind === 'wait') {
    return await box.call('POST', '/sandbox/clock', { body: { advanceSeconds: given.hours * HOUR } })
  }
  if (needs[kind] !== undefined) return await move(given, await pick(made, needs[kind], which), made)
  if (given.slow) await acceptNext()
  const ask = (path: string, fields: object, literal = given.amount) => {
    const rest = JSON.stringify(fields).slice(1)
    return box.call('POST', `/api/v1/Transaction/${path}`, { as, text: `{"amount":${literal},${rest}` })
  }
  if (kind === 'deposit') return await ask('deposit', { note: 'Run' })
  if (kind === 'withdraw') return await ask('withdraw', { bankAccount: 'BZ00 1234' })
  if (kind === 'buy') return await ask('purchase', { merchantId: shop, gasTier, useEscrow })
  const all = kind === 'spend-all' ? (await servedBalances(box, userIdEndingIn(ending))).available : given.amount
  return await ask('p2p', { recipientId: userIdEndingIn(whom[0]), gasTier, useEscrow }, all)
}

async function acceptNext(): Promise<void> {
  await box.call('POST', '/sandbox/faults', {
    body: { method: 'POST', path: '/api/v1/Transaction/p2p', effect: 'accept-202' },
  })
}

async function pick({ references }: Made, state: string, which: number): Promise<string> {
  const found: string[] = []
  for (const reference of references) if ((await read(reference))?.state === state) found.push(reference)
  const among = found.length > 0 ? found : references
  return among[which % Math.max(1, among.length)] ?? 'DEP~nothing'
}

const read = async (reference: string) =>
  (await box.call('GET', `/api/v1/Transaction/${reference}`, { as: OPERATOR })).body.data as
    | Readonly<Record<string, string>>
    | undefined

async function move({ kind, release, slow }: Step, referenceId: string, made: Made): Promise<Answered> {
  const resolution = { releaseToRecipient: release, resolutionReason: 'Run' }
  if (kind === 'confirm') {
    const body = { referenceId, bankReference: 'BANK' }
    if (slow) await box.call('POST', '/sandbox/faults', { body: { ...CONFIRM, effect: 'accept-202' } })
    return await box.call('POST', CONFIRM.path, { as: OPERATOR, body })
  }
  if (kind === 'dispute') {
    const raisedByUserId = (await read(referenceId))?.fromAccountId ?? ''
    const raised = await box.call('POST', '/sandbox/disputes', { body: { referenceId, raisedByUserId, reason: 'Run' } })
    if (raised.status === 200) made.cases.push({ id: String(raised.body.id), referenceId })
    return raised
  }
  const known = made.cases.find((candidate) => candidate.referenceId === referenceId)
  if (kind === 'resolve-case' && known !== undefined) {
    return await box.call('POST', `/api/v1/Dispute/${known.id}/resolve`, { as: NEWCOMER, body: resolution })
  }
  if (kind === 'resolve-case' || kind === 'resolve-transaction') {
    const body = { ...resolution, referenceId }
    return await box.call('POST', '/api/v1/Transaction/dispute/resolve', { as: NEWCOMER, body })
  }
  return await box.call('POST', '/sandbox/transactions', { body: { referenceId, move: kind } })
}

const CONFIRM = { method: 'POST', path: '/api/v1/Transaction/deposit/confirm' }

async function expectReplayed(): Promise<void> {
  for (const account of ACCOUNTS) {
    expect([account, await servedBalances(box, account)]).toEqual([account, await replayOf(box, account)])
  }
}

test('in the seeded world every balance is what the served history gives', expectReplayed)

test('after any run every balance is what the served history gives', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: LENGTH_MAX }), async (steps) => {
      const made: Made = { references: [], cases: [] }
      for (const given of steps) {
        const { status, body } = await take(given, made)
        expect(status, JSON.stringify([given, body])).toBeLessThan(500)
        if (body.data?.referenceId !== undefined) made.references.push(String(body.data.referenceId))
      }
      await expectReplayed()
      expect(await ledgerFaults(box.sandbox.world.db)).toEqual([])
    }),
    { numRuns: RUNS },
  )
}, 300_000)
