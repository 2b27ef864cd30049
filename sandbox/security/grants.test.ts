import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { Refusal } from '#sandbox/http/problem.ts'
import { userIdEndingIn } from '#sandbox/seed/people.ts'
import { type TestSandbox, testSandbox } from '#sandbox/testing/test-sandbox.ts'
import { issueGrant, requireStepUp } from './grants.ts'
import { ADMIN as ADMIN_EMAIL, ARBITRATOR as ARBITRATOR_EMAIL, type TwoFactor, twoFactorOf } from './test-two-factor.ts'

const ARBITRATOR = userIdEndingIn('002')
const ADMIN = userIdEndingIn('003')
const NEWCOMER = userIdEndingIn('005')

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

/** Null when the gate opens, else the code of the refusal. */
async function gate(userId: string, grant: string | null, enrolmentRequired = false): Promise<string | null> {
  try {
    await requireStepUp(box.sandbox.world, userId, grant, enrolmentRequired)
    return null
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    expect(error.problem.status).toBe(403)
    return error.problem.code
  }
}

async function grantBy(email: string): Promise<string> {
  const granted = await two.verify(email, await two.codeOf(email))
  return String(granted.body.data?.token)
}

describe('who is enrolled', () => {
  test('passes with a grant, several times', async () => {
    const grant = await grantBy(ARBITRATOR_EMAIL)
    for (let n = 0; n < 3; n += 1) expect(await gate(ARBITRATOR, grant)).toBeNull()
    expect(await gate(ARBITRATOR, grant, true)).toBeNull()
  })

  test('does not pass without one, nor with a made-up one', async () => {
    const grant = await grantBy(ARBITRATOR_EMAIL)
    for (const other of [null, '', 'made-up', `${grant}x`, grant.slice(0, -1), grant.toLowerCase(), 'x'.repeat(9000)]) {
      expect(await gate(ARBITRATOR, other)).toBe('core::gatekeeper::required')
    }
  })

  test('does not pass with another user’s', async () => {
    const grant = await grantBy(ADMIN_EMAIL)
    expect(await gate(ARBITRATOR, grant)).toBe('core::gatekeeper::required')
    expect(await gate(ADMIN, grant)).toBeNull()
  })

  test('does not pass with an expired one', async () => {
    const { db, wallMilliseconds } = box.sandbox.world
    const grant = await grantBy(ARBITRATOR_EMAIL)
    await db
      .updateTable('step_up_grant')
      .set({ ends_ms: wallMilliseconds() + 60_000 })
      .execute()
    expect(await gate(ARBITRATOR, grant)).toBeNull()
    await db.updateTable('step_up_grant').set({ ends_ms: wallMilliseconds() }).execute()
    expect(await gate(ARBITRATOR, grant)).toBe('core::gatekeeper::required')
  })

  test('a grant is bound to the machine’s clock, not to the ledger’s', async () => {
    const grant = await grantBy(ARBITRATOR_EMAIL)
    await box.advance(86_400)
    two.wall.now += 5 * 60_000 - 1
    expect(await gate(ARBITRATOR, grant)).toBeNull()
    two.wall.now += 1
    expect(await gate(ARBITRATOR, grant)).toBe('core::gatekeeper::required')
  })

  test('the store drops expired grants', async () => {
    await grantBy(ARBITRATOR_EMAIL)
    two.wall.now += 5 * 60_000
    await issueGrant(box.sandbox.world, ADMIN)
    const rows = await box.sandbox.world.db.selectFrom('step_up_grant').select('user_id').execute()
    expect(rows).toEqual([{ user_id: ADMIN }])
  })

  test('the store holds no grant that could be used', async () => {
    const grant = await grantBy(ARBITRATOR_EMAIL)
    const rows = await box.sandbox.world.db.selectFrom('step_up_grant').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(grant)
    expect(await gate(ARBITRATOR, String(rows[0]?.token_hash))).toBe('core::gatekeeper::required')
  })
})

describe('who is not enrolled', () => {
  test('passes with anything or nothing, except where enrolment is required', async () => {
    for (const grant of [null, 'made-up']) {
      expect(await gate(NEWCOMER, grant)).toBeNull()
      expect(await gate(NEWCOMER, grant, true)).toBe('core::gatekeeper::enrol::required')
    }
  })

  test('does not count as enrolled while a secret is pending', async () => {
    await two.enrol('newcomer@example.com')
    expect(await gate(NEWCOMER, null)).toBeNull()
    expect(await gate(NEWCOMER, null, true)).toBe('core::gatekeeper::enrol::required')
  })
})

test('removal voids every grant of the user, and of nobody else: enrolling again does not bring them back', async () => {
  const { world } = box.sandbox
  const grants = [await grantBy(ARBITRATOR_EMAIL), (await issueGrant(world, ARBITRATOR)).token]
  const others = await issueGrant(world, ADMIN)
  expect((await two.remove(ARBITRATOR_EMAIL, await two.codeOf(ARBITRATOR_EMAIL, 1))).status).toBe(200)
  await two.enrol(ARBITRATOR_EMAIL)
  expect((await two.confirm(ARBITRATOR_EMAIL, await two.codeOf(ARBITRATOR_EMAIL))).status).toBe(200)
  for (const grant of grants) expect(await gate(ARBITRATOR, grant)).toBe('core::gatekeeper::required')
  expect(await gate(ADMIN, others.token)).toBeNull()
})
