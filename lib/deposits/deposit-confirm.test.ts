import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CommandView } from '#lib/commands/command.ts'
import { holderOf } from '#lib/commands/locks.ts'
import { reconcileCommand } from '#lib/commands/reconcile.ts'
import { watches } from '#lib/commands/reconcile-schedule.ts'
import { insertDraft } from '#lib/commands/store.ts'
import { viewOf } from '#lib/commands/view.ts'
import type { Session, SignInMethod } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { draftOf } from '#lib/testing/command-run.ts'
import { CONFIRM, type Deposit, draftForTest, executeForTest, newDeposit } from '#lib/testing/gated-deposit.ts'
import { commandOrFail } from '#lib/testing/passed-time.ts'
import { ok, refused, type Scripted, ScriptedService } from '#lib/testing/scripted-service.ts'
import { signedIn } from '#lib/testing/signed-in.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { openForTest, signInForTest } from '#lib/testing/test-sessions.ts'
import { readConfirmedDeposits } from './confirmed-deposits.ts'

let service: ScriptedService
let operator: Session
let deposit: Deposit
let bankReference: string

beforeAll(async () => {
  service = await ScriptedService.start()
})
beforeEach(async () => {
  service.reset()
  await freshConsole({ CORE_API_URL: service.url })
  watches().clear()
  operator = await signedIn(0)
  deposit = newDeposit()
  bankReference = `ATL ${randomUUID()}`
  service.on(deposit.read, deposit.in('QUEUED'))
})
afterAll(() => service.stop())

async function confirmed(answer: Scripted): Promise<string> {
  service.on(CONFIRM, answer)
  const params = { referenceId: deposit.referenceId, bankReference, statementAmount: '250' }
  const id = await draftForTest(operator, 'deposit.confirm', params)
  await executeForTest(operator, id)
  return id
}

const answered = (state: string, status = 200) =>
  ok({ referenceId: deposit.referenceId, state, message: '', accepted: status === 202 }, status)

const look = async (id: string) => viewOf((await reconcileCommand(operator, await commandOrFail(id))).command).outcome

const confirmedHere = async () =>
  (await readConfirmedDeposits(operator, { page: 1, size: 50 }, null)).deposits.map(({ reference }) => reference)

test('confirms one deposit per bank reference, however it is written', async () => {
  const [written] = [bankReference]
  expect(viewOf(await commandOrFail(await confirmed(answered('PROCESSING')))).outcome.class).toBe('done')
  const variants = [
    '\u200B',
    '\u00AD',
    '\u2060',
    '\uFE0F',
    '\u034F',
    '\u3164',
    '\u{E0041}',
    '\u200E',
    '\u2800',
    '\u2028',
  ].map((character) => `${written.slice(0, 6)}${character}${written.slice(6)}`)
  for (const variant of [
    ...variants,
    ...['\u2011', '\u2010', '\u2212', '\uFF0D'].map((dash) => written.replaceAll('-', dash)),
  ]) {
    const other = newDeposit()
    service.on(other.read, other.in('QUEUED'))
    const params = { referenceId: other.referenceId, bankReference: variant, statementAmount: '250' }
    expect(await draftOf(operator, 'deposit.confirm', params), JSON.stringify(variant)).toMatchObject({
      ok: false,
      fields: { bankReference: expect.stringContaining('is already in use in this console') },
    })
  }
  expect(service.of(CONFIRM)).toHaveLength(1)
})

test('refuses to confirm a queued transfer', async () => {
  service.on(deposit.read, deposit.in('QUEUED', { transactionType: 'P2P' }))
  const params = { referenceId: deposit.referenceId, bankReference, statementAmount: '250' }
  expect(await draftOf(operator, 'deposit.confirm', params)).toMatchObject({
    ok: false,
    fields: { referenceId: 'This is a transfer between wallets. Only a deposit can be confirmed.' },
  })
})

test('sends a bank reference without its invisible characters', async () => {
  const clean = bankReference
  bankReference = `\u200E${clean.slice(0, 9)}\u00AD${clean.slice(9)}\u200B`
  service.on(CONFIRM, answered('PROCESSING'))
  const params = { referenceId: deposit.referenceId, bankReference, statementAmount: '250' }
  const reply = await draftOf(operator, 'deposit.confirm', params)
  expect(reply).toMatchObject({
    ok: true,
    draft: {
      lines: expect.arrayContaining([
        { label: 'Bank’s reference', value: clean, as: 'mono' },
        {
          label: 'Removed from the bank’s reference',
          value: '3 invisible characters: U+200E, U+00AD, U+200B',
          as: 'text',
        },
      ]),
    },
  })
  if (!reply.ok) return
  await executeForTest(operator, reply.draft.id)
  expect(service.of(CONFIRM).map(({ body }) => body)).toEqual([
    { referenceId: deposit.referenceId, bankReference: clean },
  ])
})

test('takes no removed characters from the browser', async () => {
  const params = { referenceId: deposit.referenceId, bankReference, statementAmount: '250', removed: 'none' }
  const id = await draftForTest(operator, 'deposit.confirm', params)
  expect(JSON.parse((await commandOrFail(id)).params)).not.toHaveProperty('removed')
})

/** The account of every `newDeposit`, as an operator. */
const RECIPIENT = '00000000-0000-4000-8000-000000000011'

const recipient = async (method: SignInMethod) =>
  await openForTest(await signInForTest({ actor: `sso:${RECIPIENT}`, userId: RECIPIENT.toUpperCase(), method }))

test.each<SignInMethod>(['sso', 'password'])(
  'refuses a confirmation by the recipient, signed in by %s',
  async (method) => {
    const params = { referenceId: deposit.referenceId, bankReference, statementAmount: '250' }
    expect(await draftOf(await recipient(method), 'deposit.confirm', params)).toMatchObject({
      ok: false,
      fields: { referenceId: 'The recipient cannot confirm their own deposit. Someone else must.' },
    })
  },
)

test('sends no confirmation that the recipient prepared before', async () => {
  const [id, session] = [randomUUID(), await recipient('sso')]
  const params = JSON.stringify({ referenceId: deposit.referenceId, bankReference, statementAmount: '250' })
  const facts = JSON.stringify({ toAccountId: RECIPIENT })
  const draft = { id, kind: 'deposit.confirm', actor: session.actor, actorName: 'me', target: deposit.referenceId }
  await insertDraft(await store(), { ...draft, params, facts })
  expect((await executeForTest(session, id)).command.outcome).toMatchObject({
    class: 'refused',
    sent: false,
    title: 'The recipient cannot confirm their own deposit. Someone else must.',
  })
  expect([(await commandOrFail(id)).state, service.of(CONFIRM).length]).toEqual(['closed', 0])
})

test('answers a send that cannot read with the other’s outcome', async () => {
  service.on(CONFIRM, answered('PROCESSING'))
  const params = { referenceId: deposit.referenceId, bankReference, statementAmount: '250' }
  const id = await draftForTest(operator, 'deposit.confirm', params)
  service.on(deposit.read, refused(404, 'core::kineto::not_found'), deposit.in('QUEUED'))
  const reads = service.of(deposit.read).length
  const commands: CommandView[] = []
  service.before = async (what) => {
    const isFirst = what === deposit.read && service.of(what).length === reads + 1
    if (isFirst) commands.push((await executeForTest(operator, id)).command)
  }
  commands.push((await executeForTest(operator, id)).command)
  expect(commands.map(({ outcome }) => outcome.class)).toEqual(['done', 'done'])
  expect(service.of(CONFIRM)).toHaveLength(1)
})

test.each<[state: string, status: number, outcome: string]>([
  ['PROCESSING', 200, 'done'],
  ['PROCESSED', 200, 'done'],
  ['PROCESSING', 202, 'accepted'],
  ['PENDING', 200, 'accepted'],
  ['QUEUED', 200, 'accepted'],
  ['BLOCKED', 200, 'accepted'],
  ['FAIL', 200, 'accepted'],
  ['ON_THE_MOON', 200, 'accepted'],
])('an answer with %s and %i is %s', async (state, status, outcome) => {
  expect(viewOf(await commandOrFail(await confirmed(answered(state, status)))).outcome.class).toBe(outcome)
})

describe('a refused confirmation', () => {
  const refusedWith = async (status: number) => {
    // Somebody else confirms it right before the request arrives.
    service.on(deposit.read, deposit.in('QUEUED'), deposit.in('QUEUED'), deposit.in('PROCESSING'))
    return viewOf(await commandOrFail(await confirmed(refused(status, 'core::no')))).outcome
  }

  test.each([400, 404, 409])('tells the present state after %i', async (status) => {
    const outcome = await refusedWith(status)
    expect(outcome).toMatchObject({ class: 'refused', advice: expect.stringContaining('The deposit is Processing') })
    expect(JSON.stringify(outcome)).not.toContain('Nothing changed')
  })

  test.each([403, 423, 429])('is not read after %i', async (status) => {
    const outcome = await refusedWith(status)
    expect(outcome).toMatchObject({ class: 'refused', advice: expect.not.stringContaining('The deposit is') })
    expect(service.of(deposit.read)).toHaveLength(2)
  })

  test('says what it can where nothing can be read', async () => {
    service.on(deposit.read, deposit.in('QUEUED'), deposit.in('QUEUED'), refused(500, 'core::fault'))
    const { outcome } = viewOf(await commandOrFail(await confirmed(refused(409, 'core::no'))))
    expect(outcome).toMatchObject({ class: 'refused', advice: expect.stringContaining('Nothing changed') })
  })
})

test('one that is held for review is shown so, is looked at further, and is not confirmed here', async () => {
  const id = await confirmed(answered('PENDING', 202))
  service.on(deposit.read, deposit.in('BLOCKED'))
  expect(await look(id)).toMatchObject({
    class: 'accepted',
    lines: expect.arrayContaining([expect.objectContaining({ value: 'BLOCKED' })]),
  })
  expect(await confirmedHere()).not.toContain(deposit.referenceId)
  service.on(deposit.read, deposit.in('PROCESSING'))
  expect(await look(id)).toMatchObject({ class: 'done' })
  expect(await confirmedHere()).toContain(deposit.referenceId)
})

test('one that failed is no confirmation: told with its reason, and the bank’s reference needs a person', async () => {
  const id = await confirmed(answered('PENDING', 202))
  const failed = deposit.in('FAIL')
  if (failed === 'drop') throw new Error('no answer')
  const { data } = failed.body as { data: object }
  service.on(deposit.read, ok({ ...data, failReason: 'The reserve is closed.' }))
  expect(await look(id)).toMatchObject({
    class: 'failed',
    lines: expect.arrayContaining([expect.objectContaining({ value: 'The reserve is closed.' })]),
  })
  expect((await commandOrFail(id)).state).toBe('not_applied')
  expect(await confirmedHere()).not.toContain(deposit.referenceId)
  expect(await holderOf(await store(), `bank:${bankReference.toUpperCase()}`)).toMatchObject({ commandId: id })
})
