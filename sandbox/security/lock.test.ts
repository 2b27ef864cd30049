import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { userIdEndingIn } from '#sandbox/seed/people.ts'
import { type TestSandbox, testSandbox } from '#sandbox/testing/test-sandbox.ts'
import { ADMIN, ANA, ARBITRATOR, expectRejected, LOCK_MS, type TwoFactor, twoFactorOf } from './test-two-factor.ts'

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

describe('the lock', () => {
  test('comes with the fifth wrong code in a row, and then the right one is rejected too', async () => {
    await two.guess(ARBITRATOR, 4)
    expect((await two.status(ARBITRATOR))?.lockedUntil).toBeNull()
    await two.guess(ARBITRATOR, 1)
    const lockedUntil = String((await two.status(ARBITRATOR))?.lockedUntil)
    expect(lockedUntil).toMatch(/\.\d{7}Z$/)
    expect(Date.parse(lockedUntil)).toBe(two.wall.now + LOCK_MS)
    expectRejected(await two.verify(ARBITRATOR, await two.codeOf(ARBITRATOR)))
    expectRejected(await two.remove(ARBITRATOR, await two.codeOf(ARBITRATOR)))
    expect(await two.status(ARBITRATOR)).toMatchObject({ enrolled: true, lockedUntil })
  })

  test('ends after five minutes of the machine’s clock, whatever came meanwhile; the ledger’s clock moves nothing', async () => {
    await two.guess(ARBITRATOR, 5)
    await box.advance(LOCK_MS / 1000)
    two.wall.now += LOCK_MS - 1
    await two.guess(ARBITRATOR, 5)
    expectRejected(await two.verify(ARBITRATOR, await two.codeOf(ARBITRATOR)))
    two.wall.now += 1
    expect((await two.status(ARBITRATOR))?.lockedUntil).toBeNull()
    expect((await two.verify(ARBITRATOR, await two.codeOf(ARBITRATOR))).status).toBe(200)
  })

  test('needs five more after it ended', async () => {
    await two.guess(ARBITRATOR, 5)
    two.wall.now += LOCK_MS
    await two.guess(ARBITRATOR, 4)
    expect((await two.status(ARBITRATOR))?.lockedUntil).toBeNull()
    await two.guess(ARBITRATOR, 1)
    expect((await two.status(ARBITRATOR))?.lockedUntil).not.toBeNull()
  })

  test('a right code forgets the wrong ones before it; a used one does not', async () => {
    await two.guess(ARBITRATOR, 4)
    const code = await two.codeOf(ARBITRATOR, -1)
    expect((await two.verify(ARBITRATOR, code)).status).toBe(200)
    await two.guess(ARBITRATOR, 4)
    expectRejected(await two.verify(ARBITRATOR, code))
    expect((await two.status(ARBITRATOR))?.lockedUntil).toBeNull()
    await two.guess(ARBITRATOR, 1)
    expect((await two.status(ARBITRATOR))?.lockedUntil).not.toBeNull()
  })

  test('counts wrong codes wherever they are sent', async () => {
    const code = await two.wrongCode(ARBITRATOR)
    await two.guess(ARBITRATOR, 2)
    for (let n = 0; n < 2; n += 1) expectRejected(await two.remove(ARBITRATOR, code))
    expectRejected(await two.verify(ARBITRATOR, 'abc'))
    expect((await two.status(ARBITRATOR))?.lockedUntil).not.toBeNull()
  })

  test('guards a pending secret, and enrolling again does not open it', async () => {
    await two.enrol(ANA)
    const code = await two.wrongCode(ANA)
    for (let n = 0; n < 5; n += 1) expectRejected(await two.confirm(ANA, code))
    expect(await two.status(ANA)).toMatchObject({ enrolled: false, lockedUntil: expect.any(String) })
    await two.enrol(ANA)
    expectRejected(await two.confirm(ANA, await two.codeOf(ANA)))
    two.wall.now += LOCK_MS
    expect((await two.confirm(ANA, await two.codeOf(ANA))).status).toBe(200)
  })

  test('is each user’s own', async () => {
    await two.guess(ARBITRATOR, 5)
    expect((await two.verify(ADMIN, await two.codeOf(ADMIN))).status).toBe(200)
  })

  test('every one of parallel guesses is counted', async () => {
    const code = await two.wrongCode(ARBITRATOR)
    await Promise.all(Array.from({ length: 4 }, () => two.verify(ARBITRATOR, code)))
    const { db } = box.sandbox.world
    const row = await db.selectFrom('totp').selectAll().where('user_id', '=', userIdEndingIn('002')).executeTakeFirst()
    expect(row?.wrong_codes).toBe(4)
    const answers = await Promise.all(Array.from({ length: 50 }, () => two.verify(ARBITRATOR, code)))
    for (const answer of answers) expectRejected(answer)
    expect((await two.status(ARBITRATOR))?.lockedUntil).not.toBeNull()
    expectRejected(await two.verify(ARBITRATOR, await two.codeOf(ARBITRATOR)))
  })
})
