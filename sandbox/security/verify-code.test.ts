import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { envelope } from '#lib/contract/endpoint.ts'
import { parseJson } from '#lib/contract/json.ts'
import { security } from '#lib/contract/security.ts'
import { type TestSandbox, testSandbox } from '#sandbox/testing/test-sandbox.ts'
import {
  ADMIN,
  ANA,
  ARBITRATOR,
  expectRejected,
  STEP_MS,
  TOTP_PATH,
  type TwoFactor,
  twoFactorOf,
} from './test-two-factor.ts'

let box: TestSandbox
let two: TwoFactor

beforeAll(async () => {
  box = await testSandbox()
})
beforeEach(async () => {
  await box.reset()
  two = twoFactorOf(box)
})
afterEach(() => vi.restoreAllMocks())

describe('verify', () => {
  test('answers a grant of the contract that lasts a few minutes', async () => {
    const response = await fetch(`${box.url}${TOTP_PATH}/verify`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await box.token(ARBITRATOR)}`, 'content-type': 'application/json' },
      body: JSON.stringify({ code: await two.codeOf(ARBITRATOR) }),
    })
    const { data } = envelope(security.verify.data).parse(parseJson(await response.text()))
    expect(data.expiresAt).toMatch(/\.\d{7}Z$/)
    expect(Date.parse(data.expiresAt) - two.wall.now).toBe(5 * 60_000)
  })

  test.each([[-1], [0], [1]])('takes the code of the step %i from now', async (steps) => {
    expect((await two.verify(ARBITRATOR, await two.codeOf(ARBITRATOR, steps))).status).toBe(200)
  })

  test.each([[-2], [2]])('rejects the code of the step %i from now', async (steps) => {
    expectRejected(await two.verify(ARBITRATOR, await two.codeOf(ARBITRATOR, steps)))
  })

  test('is not challenged by step-up, whatever header comes along', async () => {
    const body = { code: await two.codeOf(ARBITRATOR) }
    const headers = { 'x-step-up': 'made-up' }
    expect((await box.call('POST', `${TOTP_PATH}/verify`, { as: ARBITRATOR, body, headers })).status).toBe(200)
  })

  test('rejects a code that was used, and one from before it', async () => {
    const code = await two.codeOf(ARBITRATOR)
    expect((await two.verify(ARBITRATOR, code)).status).toBe(200)
    expectRejected(await two.verify(ARBITRATOR, code))
    expectRejected(await two.verify(ARBITRATOR, await two.codeOf(ARBITRATOR, -1)))
    expect((await two.verify(ARBITRATOR, await two.codeOf(ARBITRATOR, 1))).status).toBe(200)
    two.wall.now += STEP_MS
    expectRejected(await two.verify(ARBITRATOR, await two.codeOf(ARBITRATOR)))
    two.wall.now += STEP_MS
    expect((await two.verify(ARBITRATOR, await two.codeOf(ARBITRATOR))).status).toBe(200)
  })

  test('rejects another user’s code, a malformed one, and any of who is not enrolled', async () => {
    expectRejected(await two.verify(ARBITRATOR, await two.codeOf(ADMIN)))
    expectRejected(await two.verify(ANA, '123456'))
    const code = await two.codeOf(ARBITRATOR)
    const fullWidth = [...code].map((digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0)).join('')
    for (const malformed of [`${code} `, `${code}0`, fullWidth]) expectRejected(await two.verify(ARBITRATOR, malformed))
  })

  test.each([[''], ['abcdef'], ['12345'], ['\0'], ['1'.repeat(10_000)]])(
    'rejects a malformed code: %j',
    async (code) => {
      expectRejected(await two.verify(ARBITRATOR, code))
    },
  )

  test.each([
    ['code', {}],
    ['code', { code: 123456 }],
    ['code', { code: null }],
    ['token', { code: '123456', token: 'x' }],
    ['body', []],
  ])('400 names the field %s of what is no such request: %j', async (field, body) => {
    const answer = await box.call('POST', `${TOTP_PATH}/verify`, { as: ARBITRATOR, body })
    expect([answer.status, answer.body.type]).toEqual([400, 'urn:ocs:error:core::request::invalid'])
    expect(Object.keys(answer.body.errors ?? {})).toEqual([field])
  })

  test('fifty at once with one code give one grant, and lock nobody out', async () => {
    const code = await two.codeOf(ARBITRATOR)
    const answers = await Promise.all(Array.from({ length: 50 }, () => two.verify(ARBITRATOR, code)))
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(49).fill(400)])
    const { db } = box.sandbox.world
    expect(await db.selectFrom('step_up_grant').selectAll().execute()).toHaveLength(1)
    expect((await two.verify(ARBITRATOR, await two.codeOf(ARBITRATOR, 1))).status).toBe(200)
  })
})
