import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { putPerProcess } from '#lib/config/per-process.ts'
import { findEvents } from '#lib/journal/event.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { kindOrFail, runCommand } from '#lib/testing/command-run.ts'
import { CONFIRM, type Deposit, draftForTest, executeForTest, newDeposit } from '#lib/testing/gated-deposit.ts'
import { commandOrFail, sentSecondsAgo } from '#lib/testing/passed-time.ts'
import { ok, refused, type Scripted, ScriptedService } from '#lib/testing/scripted-service.ts'
import { signedIn } from '#lib/testing/signed-in.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { openForTest, signInForTest } from '#lib/testing/test-sessions.ts'
import type { CommandReply } from './command.ts'
import { holderOf } from './locks.ts'
import { reconcileCommand } from './reconcile.ts'
import { RECONCILE_END_SECONDS, watches } from './reconcile-schedule.ts'
import { dismissChange, freeLock, settleByHand } from './settle.ts'
import { viewOf, wholeViewFor } from './view.ts'

const LOOKS_OVER_SECONDS = 700
const RECIPIENT = '00000000-0000-4000-8000-000000000011'
const OUT = refused(500, 'core::fault')

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
  putPerProcess('scopes', undefined)
  const held = ok({ roles: [], scopes: ['transactions:confirm', 'transactions:read'] })
  for (const user of ['1', '2', RECIPIENT]) service.on(`GET /api/v1/Users/${user}/scopes`, held)
  operator = await signedIn(0)
  deposit = newDeposit()
  bankReference = `ATL ${randomUUID()}`
})
afterAll(() => service.stop())

/** A confirmation of which no answer came, long ago, and a service that now answers a look like this. */
async function openFor(look: Scripted): Promise<string> {
  service.on(deposit.read, deposit.in('QUEUED'))
  service.on(CONFIRM, 'drop')
  const params = { referenceId: deposit.referenceId, bankReference, statementAmount: '250' }
  const id = await draftForTest(operator, 'deposit.confirm', params)
  await executeForTest(operator, id)
  await sentSecondsAgo(id, LOOKS_OVER_SECONDS)
  service.on(deposit.read, look)
  return id
}

const say = (id: string, happened: boolean): Promise<CommandReply> =>
  settleByHand(operator, id, { happened, why: 'The bank says so.' })

const bankHolder = async () => await holderOf(await store(), `bank:${bankReference.toUpperCase()}`)

describe('what the service shows outranks the word', () => {
  test.each<[state: string, happened: boolean, ends: string, notice: string | null, reference: 'held' | 'free']>([
    ['PROCESSING', false, 'applied', 'shows that it happened', 'held'],
    ['PROCESSING', true, 'applied', 'shows the same', 'held'],
    ['FAIL', true, 'not_applied', 'shows that it did not happen', 'held'],
    // A reading is no certainty, so the reference stays until somebody frees it.
    ['QUEUED', false, 'not_applied', 'shows the same', 'held'],
    ['QUEUED', true, 'not_applied', 'shows that it did not happen', 'held'],
    ['BLOCKED', false, 'not_applied', null, 'free'],
    ['BLOCKED', true, 'applied', null, 'held'],
    ['ON_THE_MOON', false, 'not_applied', null, 'free'],
  ])('%s, and the person says that it happened: %s', async (state, happened, ends, notice, reference) => {
    const id = await openFor(deposit.in(state))
    const reply = await say(id, happened)
    expect((await commandOrFail(id)).state).toBe(ends)
    expect(reply).toMatchObject(notice === null ? { ok: true } : { ok: true, notice: expect.stringContaining(notice) })
    expect((await bankHolder()) === null ? 'free' : 'held').toBe(reference)
  })
})

describe('one that the service accepted', () => {
  /** Accepted so many seconds ago; the service shows this state since. */
  async function acceptedFor(seconds: number, state: string): Promise<string> {
    service.on(deposit.read, deposit.in('QUEUED'))
    service.on(CONFIRM, ok(null, 202))
    const params = { referenceId: deposit.referenceId, bankReference, statementAmount: '250' }
    const id = await draftForTest(operator, 'deposit.confirm', params)
    await executeForTest(operator, id)
    service.on(deposit.read, deposit.in(state))
    await reconcileCommand(operator, await commandOrFail(id))
    await sentSecondsAgo(id, seconds)
    return id
  }
  const settledByHand = async (id: string) => viewOf(await commandOrFail(id)).settledByHand

  test('needs a person after eleven minutes without an effect', async () => {
    expect(await settledByHand(await acceptedFor(600, 'QUEUED'))).toBe(false)
  })

  test('is recorded as not done by a person, and frees its locks', async () => {
    const id = await acceptedFor(LOOKS_OVER_SECONDS, 'QUEUED')
    expect(await settledByHand(id)).toBe(true)
    expect(await say(id, true)).toMatchObject({ notice: expect.stringContaining('shows no effect') })
    expect((await commandOrFail(id)).state).toBe('accepted')
    await say(id, false)
    expect((await commandOrFail(id)).state).toBe('not_applied')
    expect(await holderOf(await store(), `deposit:${deposit.referenceId}`)).toBeNull()
    expect(await bankHolder()).toBeNull()
  })

  test('is settled by nobody while the service works on it', async () => {
    const id = await acceptedFor(LOOKS_OVER_SECONDS, 'PENDING')
    expect(await settledByHand(id)).toBe(false)
    await say(id, false)
    expect((await commandOrFail(id)).state).toBe('accepted')
  })

  test.each([true, false])('is settled by nobody once the service shows work: %s', async (happened) => {
    const id = await acceptedFor(LOOKS_OVER_SECONDS, 'QUEUED')
    service.on(deposit.read, deposit.in('PENDING'))
    expect(await say(id, happened)).toMatchObject({ notice: expect.stringContaining('is still processing it') })
    expect((await commandOrFail(id)).state).toBe('accepted')
  })

  test('is recorded as done after a day, and never as not done, while under way', async () => {
    const id = await acceptedFor(RECONCILE_END_SECONDS + 1, 'PENDING')
    expect(await say(id, false)).toMatchObject({ notice: expect.stringContaining('is still processing it') })
    await say(id, true)
    expect((await commandOrFail(id)).state).toBe('applied')
  })
})

test('takes a change that a read settles meanwhile for unaltered', async () => {
  const colleague = await openForTest(await signInForTest({ actor: 'sso:2', userId: '2' }))
  const id = await openFor(deposit.in('PROCESSING'))
  const row = await commandOrFail(id)
  service.before = async (what) => {
    if (what.endsWith('/Users/2/scopes')) await reconcileCommand(operator, row)
  }
  const params = { id, happened: false, why: 'The bank says so.' }
  expect(await kindOrFail('deposit.settle').readFacts(colleague, params)).toMatchObject({ ok: true })
  expect((await commandOrFail(id)).state).toBe('applied')
})

test('the recipient neither settles, frees nor dismisses a deposit', async () => {
  const recipient = await openForTest(await signInForTest({ actor: `sso:${RECIPIENT}`, userId: RECIPIENT }))
  const refusal = {
    ok: false,
    problem: { status: 403, title: 'You are a party to this change. Someone else must do this.' },
  }
  const id = await openFor(deposit.in('QUEUED'))
  for (const happened of [true, false])
    expect(await settleByHand(recipient, id, { happened, why: 'It never came.' })).toMatchObject(refusal)
  const row = await commandOrFail(id)
  expect(row.state).toBe('unknown')
  expect(await wholeViewFor(recipient, row)).toMatchObject({ partyFault: refusal.problem.title })
  await say(id, false)
  const open = await wholeViewFor(recipient, await commandOrFail(id))
  expect([open.partyFault, open.keeps, open.dismissible]).toEqual([refusal.problem.title, undefined, undefined])
  expect(await freeLock(recipient, id, 'It never came.')).toMatchObject(refusal)
  expect(await dismissChange(recipient, id, 'It never came.')).toMatchObject(refusal)
  expect(await bankHolder()).not.toBeNull()
})

test.each([dismissChange, freeLock])('says when scopes cannot be read: %o', async (act) => {
  const id = await openFor(deposit.in('QUEUED'))
  await say(id, false)
  putPerProcess('scopes', undefined)
  service.on('GET /api/v1/Users/1/scopes', OUT)
  const title = expect.stringContaining('Your scopes could not be read')
  expect(await act(operator, id, 'The bank says so.')).toMatchObject({ ok: false, problem: { status: 403, title } })
})

test('a pending deposit is not recorded as not confirmed', async () => {
  const id = await openFor(deposit.in('PENDING'))
  expect(await say(id, false)).toMatchObject({ notice: expect.stringContaining('is still processing it') })
  expect((await commandOrFail(id)).state).toBe('unknown')
})

test('while the service cannot be read, nobody says that it did not happen', async () => {
  const id = await openFor(OUT)
  expect(await say(id, false)).toMatchObject({
    notice: expect.stringContaining('once the service can be read. Try again later'),
  })
  expect((await commandOrFail(id)).state).toBe('unknown')
  expect(await bankHolder()).not.toBeNull()
  // That it did holds everything, so nothing is lost by it.
  await say(id, true)
  expect((await commandOrFail(id)).state).toBe('applied')
})

test('the journal keeps who said it, and why', async () => {
  const id = await openFor(deposit.in('BLOCKED'))
  await say(id, false)
  const last = (await findEvents(await store(), id)).at(-1)
  expect(JSON.parse(last?.body ?? '{}')).toMatchObject({
    answer: 'by hand',
    by: operator.actor,
    why: 'The bank says so.',
  })
})

test('looking goes on after the word, and an effect that shows reopens it', async () => {
  const id = await openFor(deposit.in('BLOCKED'))
  await say(id, false)
  expect(Date.parse((await commandOrFail(id)).reconcile_until ?? '')).toBeGreaterThan(Date.now())
})

test.each([
  ['at once', (id: string) => say(id, true)],
  [
    'as a change',
    (id: string) => runCommand(operator, 'deposit.settle', { id, happened: true, why: 'The bank says so.' }),
  ],
])('ends the hand-over of a deposit recorded as done %s', async (_how, settle) => {
  const [db, id] = [await store(), await openFor(deposit.in('BLOCKED'))]
  const people = { from_actor: 'sso:1', from_name: '', to_actor: 'sso:2', to_name: '' }
  const said = { amount: '250', bank_reference: '', statement_amount: '250', reason: '', at: '', handed_back_at: null }
  await db
    .insertInto('hand_over')
    .values({ reference: deposit.referenceId, command_id: id, ...people, ...said })
    .execute()
  await settle(id)
  expect((await commandOrFail(id)).state).toBe('applied')
  expect(await db.selectFrom('hand_over').select('reference').execute()).toEqual([])
})
