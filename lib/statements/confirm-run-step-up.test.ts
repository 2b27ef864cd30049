import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { dropGrant, type Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { signedIn } from '#lib/testing/test-session.ts'
import { csvOf, importedAndRead, pageOf, statusesOf, toItsEnd } from '#lib/testing/test-statement.ts'
import { serviceTest } from '#lib/testing/test-worlds.ts'
import { confirmAll, startConfirming, stepUpToContinue } from './confirm-lines.ts'
import { editLine } from './edit-line.ts'
import { findReady } from './line-table.ts'

const CONFIRM = '/api/v1/Transaction/deposit/confirm'
const VERIFY = '/api/v1/Security/totp/verify'
const OPERATOR = '00000000-0000-4000-8000-000000000001'
const ADMIN = '00000000-0000-4000-8000-000000000003'

const test = serviceTest
  .extend('environment', { STEP_UP_EXTRA: 'deposit.confirm', CODE_LOCK_AFTER: '2', CODE_LOCK_SECONDS: '300' })
  .extend('readyStatement', ({ service, admin }) => async (count: number): Promise<string> => {
    const references: string[] = []
    for (let at = 0; at < count; at += 1) references.push(await service.announceDeposit('10'))
    return await importedAndRead(admin, csvOf(references.map((reference) => ({ reference }))))
  })
  .extend('sent', ({ service }) => (): Promise<number> => {
    return service.arrived('POST', CONFIRM)
  })
  .extend('code', ({ service }) => async (): Promise<string> => {
    return String((await service.call('GET', `/sandbox/totp/${ADMIN}`)).code)
  })

const start = async (session: Session, id: string, given: string | null) => {
  const { seal } = (await pageOf(id)).ready
  return await toItsEnd((detach) => startConfirming(session, id, { seal, code: given }, detach))
}

test('a run asks for the code before its first line, sends nothing without, and goes through with it', async ({
  admin,
  readyStatement,
  sent,
  code,
}) => {
  const before = await sent()
  const id = await readyStatement(3)
  expect(await start(admin, id, null)).toMatchObject({ class: 'step-up', need: 'code', triesLeft: 3, rejected: false })
  const right = await code()
  const wrong = right === '000000' ? '111111' : '000000'
  expect(await start(admin, id, wrong)).toMatchObject({ need: 'code', triesLeft: 2, rejected: true })
  expect([await sent(), (await pageOf(id)).work]).toMatchObject([before, { work: null, ended: '' }])
  expect(await start(admin, id, right)).toBe('started')
  expect(await statusesOf(id)).toEqual(['done', 'done', 'done'])
})

test('never confirms a line that became ready after the check', async ({ service, admin, readyStatement, code }) => {
  const id = await readyStatement(2)
  await editLine(admin, id, 2, { act: 'set-aside', reason: 'asked the bank' })
  const { seal } = (await pageOf(id)).ready
  await service.fault('POST', VERIFY, 'hold')
  await toItsEnd(async (detach) => {
    const starting = startConfirming(admin, id, { seal, code: await code() }, detach)
    await service.held(1)
    await editLine(admin, id, 2, { act: 'put-back', reason: 'another payment' })
    await service.clearFaults()
    expect(await starting).toBe('started')
  })
  expect(await statusesOf(id)).toEqual(['done', 'ready'])
})

test('three rejected codes end the prompt, and the next one has all its tries', async ({ admin, readyStatement }) => {
  const id = await readyStatement(1)
  const answers = [await start(admin, id, '123'), await start(admin, id, '000000')]
  expect(answers.map((answer) => typeof answer === 'object' && answer.need)).toEqual(['code', 'code'])
  await start(admin, id, '000001')
  expect(await start(admin, id, '000002')).toBe('codes-rejected')
  expect(await start(admin, id, null)).toMatchObject({ need: 'code', triesLeft: 3 })
  expect(await statusesOf(id)).toEqual(['ready'])
})

test('an accepted code gives the next prompt all its tries', async ({ admin, readyStatement, code }) => {
  const id = await readyStatement(1)
  const right = await code()
  const wrong = right === '000000' ? '111111' : '000000'
  for (const given of [wrong, wrong, right]) await start(admin, id, given)
  dropGrant(admin.id)
  expect(await stepUpToContinue(admin, id)).toMatchObject({ triesLeft: 3 })
})

test('when the verification ends before the run, it stops with words, and goes on with the next code', async ({
  service,
  admin,
  readyStatement,
  sent,
  code,
}) => {
  const before = await sent()
  const id = await readyStatement(3)
  await service.fault('POST', CONFIRM, 'hold')
  const { seal } = (await pageOf(id)).ready
  await toItsEnd(async (detach) => {
    const started = await startConfirming(admin, id, { seal, code: await code() }, detach)
    await service.held(1)
    dropGrant(admin.id)
    await service.clearFaults()
    return started
  })
  expect(await statusesOf(id)).toEqual(['done', 'ready', 'ready'])
  const { ended, wantsCode, done } = (await pageOf(id)).work
  expect({ wantsCode, done }).toEqual({ wantsCode: true, done: 1 })
  expect(ended).toMatch(
    /^Stopped at line 2: A code from the authenticator of admin@example\.com is needed\. Confirm the rest from here\.$/,
  )
  expect(await start(admin, id, await code())).toBe('started')
  expect((await pageOf(id)).work).toMatchObject({ wantsCode: false, ended: '' })
  expect(await statusesOf(id)).toEqual(['done', 'done', 'done'])
  expect(await sent()).toBe(before + 3)
})

test('says how many codes are left before a run continues', async ({ admin, readyStatement }) => {
  const id = await readyStatement(1)
  const first = await start(admin, id, null)
  const advice = 'The verification expired during the run. Enter a code to confirm the rest.'
  expect(await stepUpToContinue(admin, id)).toEqual({ ...(first as object), advice })
  await start(admin, id, '000000')
  const next = await stepUpToContinue(admin, id)
  expect([next.triesLeft, next.lockAhead]).toEqual([2, { isNext: true, seconds: 300 }])
})

test('who is not enrolled is told so before anything starts', async ({ service, readyStatement }) => {
  const id = await readyStatement(1)
  const operator = await signedIn(service, 'operator@example.com', OPERATOR)
  expect(await start(operator, id, null)).toMatchObject({ class: 'step-up', need: 'enrolment' })
  expect((await pageOf(id)).work).toMatchObject({ work: null, ended: '' })
})

test('a run that lacks an authenticator stops with words for everyone', async ({ service, readyStatement }) => {
  const statementId = await readyStatement(1)
  const operator = await signedIn(service, 'operator@example.com', OPERATOR)
  const always = async () => true
  const facts = { statementId, token: randomUUID(), number: 1, done: 0, cut: false, wantsCode: false }
  const lines = await findReady(await store(), statementId)
  expect(await confirmAll(operator, { ...facts, goesOn: always, pause: always }, lines)).toBe(
    'Stopped at line 1: This needs two-factor security. Confirming the rest needs an authenticator. It is set up under Security.',
  )
})
