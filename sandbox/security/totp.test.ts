import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { envelope } from '#lib/contract/endpoint.ts'
import { parseJson } from '#lib/contract/json.ts'
import { security } from '#lib/contract/security.ts'
import { userIdEndingIn } from '#sandbox/seed/people.ts'
import { type TestSandbox, testSandbox } from '#sandbox/testing/test-sandbox.ts'
import { ANA, ARBITRATOR, expectRejected, TOTP_PATH, type TwoFactor, twoFactorOf } from './test-two-factor.ts'

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

describe('status', () => {
  test('the arbitrator and the admin are enrolled, nobody else', async () => {
    const { db } = box.sandbox.world
    const rows = await db.selectFrom('totp').select('user_id').orderBy('user_id').execute()
    expect(rows.map((row) => row.user_id)).toEqual([userIdEndingIn('002'), userIdEndingIn('003')])
    expect(await two.status('newcomer@example.com')).toEqual({ enrolled: false, enrolledAt: null, lockedUntil: null })
  })

  test('reads by the contract', async () => {
    const response = await fetch(box.url + TOTP_PATH, {
      headers: { authorization: `Bearer ${await box.token(ARBITRATOR)}` },
    })
    const { data } = envelope(security.status.data).parse(parseJson(await response.text()))
    expect(data).toMatchObject({ enrolled: true, enrolledAt: expect.stringMatching(/\.\d{7}Z$/), lockedUntil: null })
  })

  test.each([
    ['GET', TOTP_PATH],
    ['POST', `${TOTP_PATH}/enrol`],
    ['POST', `${TOTP_PATH}/enrol/confirm`],
    ['POST', `${TOTP_PATH}/verify`],
    ['DELETE', TOTP_PATH],
  ])('401 without a token: %s %s', async (method, path) => {
    expect((await box.call(method, path)).status).toBe(401)
  })
})

describe('enrol', () => {
  test('answers a provisioning URI and a QR code, and enables nothing', async () => {
    const { status: answered, body, headers } = await two.enrol(ANA)
    expect(answered).toBe(200)
    const url = new URL(String(body.data?.url))
    expect([url.protocol, url.host]).toEqual(['otpauth:', 'totp'])
    expect(decodeURIComponent(url.pathname)).toBe('/Wallet Payments:ana@example.com')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      issuer: 'Wallet Payments',
      secret: await two.secretOf(ANA),
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    })
    expect(url.searchParams.get('secret')).toMatch(/^[A-Z2-7]{32}$/)
    const png = Buffer.from(String(body.data?.barcode), 'base64')
    expect(png.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(await two.status(ANA)).toMatchObject({ enrolled: false, enrolledAt: null })
    expectRejected(await two.verify(ANA, await two.codeOf(ANA)))
  })

  test('again gives another secret, and codes of the first are wrong', async () => {
    await two.enrol(ANA)
    const first = await two.codeOf(ANA)
    const before = await two.secretOf(ANA)
    await two.enrol(ANA)
    expect(await two.secretOf(ANA)).not.toBe(before)
    expectRejected(await two.confirm(ANA, first))
    expect((await two.confirm(ANA, await two.codeOf(ANA))).status).toBe(200)
  })

  test('409 for who is enrolled, whose secret stays', async () => {
    const before = await two.secretOf(ARBITRATOR)
    const { status: answered, body } = await two.enrol(ARBITRATOR)
    expect([answered, body.type]).toEqual([409, 'urn:ocs:error:core::gatekeeper::totp::already_enrolled'])
    expect(await two.secretOf(ARBITRATOR)).toBe(before)
    expect((await two.verify(ARBITRATOR, await two.codeOf(ARBITRATOR))).status).toBe(200)
  })

  test('500 with a code of its own when it cannot be written; the secret is not in the log', async () => {
    const { db } = box.sandbox.world
    await two.enrol(ANA)
    const before = await two.secretOf(ANA)
    await sql`ALTER TABLE totp ADD CONSTRAINT broken CHECK (false) NOT VALID`.execute(db)
    const log = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const answers = [await two.enrol(ANA), await two.confirm(ANA, await two.codeOf(ANA))]
    await sql`ALTER TABLE totp DROP CONSTRAINT broken`.execute(db)
    for (const answer of answers) {
      expect([answer.status, answer.body.type]).toEqual([500, 'urn:ocs:error:core::gatekeeper::enrol::fail'])
    }
    expect(JSON.stringify(log.mock.calls)).not.toContain(before)
    expect(await two.secretOf(ANA)).toBe(before)
    expect(await two.status(ANA)).toMatchObject({ enrolled: false })
  })
})

describe('confirm', () => {
  test('completes enrolment', async () => {
    await two.enrol(ANA)
    expect((await two.confirm(ANA, await two.codeOf(ANA, -1))).status).toBe(200)
    expect(await two.status(ANA)).toEqual({
      enrolled: true,
      enrolledAt: expect.stringMatching(/\.\d{7}Z$/),
      lockedUntil: null,
    })
    expect((await two.verify(ANA, await two.codeOf(ANA))).status).toBe(200)
  })

  test('tells the time of the machine, as its answers do', async () => {
    await two.enrol(ANA)
    box.sandbox.world.clock.advanceSeconds(24 * 3600)
    await two.confirm(ANA, await two.codeOf(ANA))
    const { enrolledAt } = Object(await two.status(ANA))
    expect(Date.parse(enrolledAt)).toBeLessThanOrEqual(box.sandbox.world.wallMilliseconds())
  })

  test('the code that confirmed does not verify, nor does an earlier one', async () => {
    await two.enrol(ANA)
    const code = await two.codeOf(ANA)
    expect((await two.confirm(ANA, code)).status).toBe(200)
    expectRejected(await two.verify(ANA, code))
    expectRejected(await two.verify(ANA, await two.codeOf(ANA, -1)))
    expect((await two.verify(ANA, await two.codeOf(ANA, 1))).status).toBe(200)
  })

  test('rejected where nothing is pending, also for who is enrolled', async () => {
    expectRejected(await two.confirm(ANA, '123456'))
    expectRejected(await two.confirm(ARBITRATOR, await two.codeOf(ARBITRATOR)))
  })
})

describe('remove', () => {
  test('with a current code: not enrolled afterwards, and the old code is worth nothing', async () => {
    const next = await two.codeOf(ARBITRATOR, 1)
    const { status: answered } = await two.remove(ARBITRATOR, await two.codeOf(ARBITRATOR))
    expect(answered).toBe(200)
    expect(await two.status(ARBITRATOR)).toEqual({ enrolled: false, enrolledAt: null, lockedUntil: null })
    expectRejected(await two.verify(ARBITRATOR, next))
    expectRejected(await two.remove(ARBITRATOR, next))
  })

  test('rejects a wrong code, one that verified, and any of who is not enrolled; enrolment stays', async () => {
    const code = await two.codeOf(ARBITRATOR)
    await two.verify(ARBITRATOR, code)
    expectRejected(await two.remove(ARBITRATOR, code))
    expectRejected(await two.remove(ARBITRATOR, await two.wrongCode(ARBITRATOR)))
    expect(await two.status(ARBITRATOR)).toMatchObject({ enrolled: true })
    expectRejected(await two.remove(ANA, '123456'))
    await two.enrol(ANA)
    expectRejected(await two.remove(ANA, await two.codeOf(ANA)))
  })

  test('enrolment is possible again, with another secret', async () => {
    const before = await two.secretOf(ARBITRATOR)
    await two.remove(ARBITRATOR, await two.codeOf(ARBITRATOR))
    await two.enrol(ARBITRATOR)
    expect(await two.secretOf(ARBITRATOR)).not.toBe(before)
    expect((await two.confirm(ARBITRATOR, await two.codeOf(ARBITRATOR))).status).toBe(200)
  })

  test('of one code sent to verify and to remove at once, one is taken', async () => {
    const code = await two.codeOf(ARBITRATOR)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? two.verify(ARBITRATOR, code) : two.remove(ARBITRATOR, code))),
    )
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
  })
})
