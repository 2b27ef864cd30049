import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { userIdEndingIn } from '#sandbox/seed/people.ts'
import { type Json, type TestSandbox, testSandbox } from '#sandbox/testing/test-sandbox.ts'
import { ADMIN, ANA, ARBITRATOR, STEP_MS, TOTP_PATH, type TwoFactor, twoFactorOf } from './test-two-factor.ts'

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

describe('controls', () => {
  test('answer the first code that would be taken, until none would be', async () => {
    const arbitrator = userIdEndingIn('002')
    for (const steps of [-1, 0, 1]) {
      const { body } = await two.control(arbitrator)
      expect(body).toEqual({ code: await two.codeOf(ARBITRATOR, steps) })
      expect((await two.verify(ARBITRATOR, body.code)).status).toBe(200)
    }
    expect((await two.control(arbitrator)).status).toBe(404)
    two.wall.now += STEP_MS
    expect((await two.control(arbitrator)).body).toEqual({ code: await two.codeOf(ARBITRATOR, 1) })
  })

  test('answer no code whose time is over in a moment', async () => {
    const arbitrator = userIdEndingIn('002')
    two.wall.now += STEP_MS / 2 - 10_001
    expect((await two.control(arbitrator)).body).toEqual({ code: await two.codeOf(ARBITRATOR, -1) })
    two.wall.now += 1
    const { body } = await two.control(arbitrator)
    expect(body).toEqual({ code: await two.codeOf(ARBITRATOR, 0) })
    two.wall.now += 10_000
    expect((await two.verify(ARBITRATOR, body.code)).status).toBe(200)
  })

  test('drive enrolment by the pending secret', async () => {
    const ana = userIdEndingIn('011')
    expect((await two.control(ana)).status).toBe(404)
    await two.enrol(ANA)
    expect((await two.confirm(ANA, (await two.control(ana)).body.code)).status).toBe(200)
    expect((await two.verify(ANA, (await two.control(ana)).body.code)).status).toBe(200)
  })

  test('404 for who is locked and for nobody', async () => {
    const code = await two.wrongCode(ARBITRATOR)
    for (let n = 0; n < 5; n += 1) await two.verify(ARBITRATOR, code)
    for (const id of [userIdEndingIn('002'), userIdEndingIn('999'), 'nonsense', 'a\0b']) {
      expect((await two.control(id)).status).toBe(404)
    }
  })

  test('the authenticator page shows everyone’s current code and renews itself; no other page does', async () => {
    await two.enrol(ANA)
    const response = await fetch(`${box.url}/sandbox/authenticator`)
    expect(response.headers.get('content-type')).toContain('text/html')
    const text = await response.text()
    for (const email of [ARBITRATOR, ADMIN, ANA]) {
      expect(text).toContain(`<td>${email}</td><td class="id">${await two.codeOf(email)}</td><td>15</td>`)
    }
    expect(text).not.toContain('ben@example.com')
    expect(text).not.toContain(await two.secretOf(ARBITRATOR))
    expect(text).toContain('<meta http-equiv="refresh" content="5">')
    expect(await (await fetch(`${box.url}/sandbox`)).text()).not.toContain('http-equiv')
  })
})

test('secrets, codes and grants are not in the list of requests', async () => {
  const known = (await box.call('GET', '/sandbox/requests')).body.requests as unknown as readonly Json[]
  const after = Number(known.at(-1)?.sequence ?? 0)
  const { body: enrolment } = await two.enrol(ANA)
  const codes = [await two.codeOf(ANA, -1), await two.codeOf(ANA), await two.codeOf(ANA, 1)]
  await two.confirm(ANA, codes[0])
  const { body: granted } = await two.verify(ANA, codes[1])
  await two.control(userIdEndingIn('011'))
  await two.remove(ANA, codes[2])
  const requests = JSON.stringify((await box.call('GET', `/sandbox/requests?after=${after}`)).body)
  expect(requests).toContain(`"path":"${TOTP_PATH}/verify","status":200`)
  const secret = new URL(String(enrolment.data?.url)).searchParams.get('secret')
  for (const text of [...codes, String(secret), String(granted.data?.token)]) expect(requests).not.toContain(text)
})
