import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { putPerProcess } from '#lib/config/per-process.ts'
import { confirmTotp, readTotpStatus, removeTotp } from '#lib/service/security.ts'
import { dropGrant, type Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import {
  CODE_INVALID,
  draftConfirmation,
  ENROLLED,
  executeForTest,
  GRANT_INVALID,
  granted,
  locked,
  newDeposit,
  STATUS,
  VERIFY,
} from '#lib/testing/gated-deposit.ts'
import { refused, ScriptedService } from '#lib/testing/scripted-service.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { openForTest, signInForTest } from '#lib/testing/test-sessions.ts'
import { lockAheadWords } from './code.ts'
import type { StepUpOutcome } from './command.ts'
import { lockAhead } from './step-up.ts'

const REMOVE = 'DELETE /api/v1/Security/totp'

let service: ScriptedService
let operator: Session

beforeAll(async () => {
  service = await ScriptedService.start()
})
afterAll(() => service.stop())

async function consoleWith(environment: Readonly<Record<string, string>>): Promise<void> {
  service.reset()
  await freshConsole({ CORE_API_URL: service.url, STEP_UP_EXTRA: 'deposit.confirm', ...environment })
  putPerProcess('rejected codes', undefined)
  service.on(STATUS, ENROLLED)
  service.on(VERIFY, CODE_INVALID)
  operator = await openForTest(await signInForTest())
}

/** A change for which codes are given, and what the prompt says after each. */
async function prompts(...codes: readonly string[]): Promise<readonly (StepUpOutcome['lockAhead'] | null)[]> {
  const deposit = newDeposit()
  service.on(deposit.read, deposit.in('QUEUED'))
  const id = await draftConfirmation(operator, deposit)
  const told = []
  for (const code of [null, ...codes]) {
    const { outcome } = (await executeForTest(operator, id, code)).command
    told.push(outcome.class === 'step-up' ? outcome.lockAhead : null)
  }
  return told
}

describe('where it is known that the fifth rejected code locks for five minutes', () => {
  beforeEach(() => consoleWith({ CODE_LOCK_AFTER: '5', CODE_LOCK_SECONDS: '300' }))

  test('the last one before it is announced, over several changes, and none before', async () => {
    const [no, yes] = [false, true].map((isNext) => ({ isNext, seconds: 300 }))
    expect(await prompts('111111', '222222', '333333')).toEqual([no, no, no, null])
    expect(await prompts('444444')).toEqual([no, yes])
    // The next prompt says so before anybody types.
    expect(await prompts()).toEqual([yes])
  })

  test.each([
    ['removal', REMOVE, removeTotp],
    ['first use', 'POST /api/v1/Security/totp/enrol/confirm', confirmTotp],
  ])('codes for the %s of the factor count as well', async (_which, endpoint, send) => {
    service.on(endpoint, CODE_INVALID)
    await prompts('111111', '222222', '333333')
    await send(operator, '444444')
    expect(lockAhead(operator)).toEqual({ isNext: true, seconds: 300 })
  })

  test('an accepted code begins anew', async () => {
    await prompts('111111', '222222', '333333')
    service.on(VERIFY, CODE_INVALID, granted('grant-1'))
    await prompts('444444', '555555')
    expect(lockAhead(operator).isNext).toBe(false)
  })

  test('so does one that is accepted without content', async () => {
    service.on(REMOVE, CODE_INVALID, { status: 204, body: '' })
    await prompts('111111', '222222', '333333')
    for (const code of ['444444', '555555']) await removeTotp(operator, code)
    expect(lockAhead(operator).isNext).toBe(false)
  })

  test('so does a lock', async () => {
    await prompts('111111', '222222', '333333')
    await prompts('444444')
    service.on(STATUS, locked())
    await readTotpStatus(operator)
    expect(lockAhead(operator).isNext).toBe(false)
  })

  test('another person’s codes do not count', async () => {
    await prompts('111111', '222222', '333333')
    await prompts('444444')
    const other = await openForTest(await signInForTest({ actor: 'sso:2', userId: '2' }))
    expect(lockAhead(other).isNext).toBe(false)
  })
})

test('where nobody told after how many codes, nothing is claimed of the next one', async () => {
  await consoleWith({})
  expect(await prompts('111111', '222222')).toEqual(Array(3).fill({ isNext: null, seconds: null }))
})

test.each([
  [{ isNext: true, seconds: 300 }, 'One more rejected code locks verification for 5 minutes.'],
  [{ isNext: true, seconds: 90 }, 'One more rejected code locks verification for 90 seconds.'],
  [{ isNext: true, seconds: null }, 'One more rejected code locks verification.'],
  [{ isNext: null, seconds: null }, 'Too many rejected codes lock verification.'],
])('a warning says what is known: %j', (ahead, words) => {
  expect(lockAheadWords(ahead)).toContain(words)
})

test('the audit trail has each code as what came of it, with its change, and never the code', async () => {
  await consoleWith({})
  await prompts('111111', '222222', '333333')
  service.on(STATUS, ENROLLED, ENROLLED, locked())
  await prompts('444444')
  service.on(STATUS, ENROLLED)
  service.on(VERIFY, granted('grant-canary'))
  await prompts('555555')
  dropGrant(operator.id)
  service.on(VERIFY, 'drop', { status: 502, body: '' }, { status: 200, body: '' })
  await prompts('666666', '777777', '888888')
  service.on(VERIFY, GRANT_INVALID, refused(429, 'core::pause'))
  await prompts('999999', '000000')
  const entries = await (await store()).selectFrom('audit_entry').selectAll().orderBy('at').execute()
  const told = entries.map(({ kind, facts }) => [kind, JSON.parse(facts) as object])
  const change = 'deposit.confirm'
  expect(told.slice(1)).toEqual([
    ['step-up.reject', { change, triesLeft: 2 }],
    ['step-up.reject', { change, triesLeft: 1 }],
    ['step-up.reject', { change, triesLeft: 0 }],
    ['step-up.lock', { change, seconds: expect.any(Number) }],
    ['step-up.verify', { change, until: expect.any(String) }],
    ...Array(3).fill(['step-up.not-known', { change }]),
  ])
  const ids = (await (await store()).selectFrom('command').select('id').execute()).map(({ id }) => id)
  for (const { about } of entries.slice(1)) expect(ids).toContain(about)
  expect(JSON.stringify(entries)).not.toMatch(/111111|444444|555555|666666|grant-canary/)
})
