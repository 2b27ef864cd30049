import { beforeAll, beforeEach, expect, test } from 'vitest'
import { claimsIn, codeFlow } from '#lib/testing/code-flow.ts'
import { type TestSandbox, testSandbox } from '#sandbox/testing/test-sandbox.ts'
import { ACR_WITH_CODE } from './provider.ts'

const ARBITRATOR = 'arbitrator@example.com'
const ID = '00000000-0000-4000-8000-000000000002'

let box: TestSandbox

beforeAll(async () => {
  box = await testSandbox()
})
beforeEach(() => box.reset())

const claims = async (email: string, request?: { acrValues: string; code: string }) => {
  const { acr, amr } = claimsIn((await codeFlow(box.url, email, request)).id_token)
  return { acr, amr }
}
const code = async () => String((await box.call('GET', `/sandbox/totp/${ID}`)).body.code)

test('the ID token names a sign-in with a code, for who asks for it', async () => {
  expect(await claims(ARBITRATOR, { acrValues: ACR_WITH_CODE, code: await code() })).toEqual({
    acr: ACR_WITH_CODE,
    amr: ['pwd', 'otp'],
  })
})

test('a sign-in by the password alone is not named so', async () => {
  for (const email of [ARBITRATOR, 'operator@example.com']) {
    expect(await claims(email, { acrValues: ACR_WITH_CODE, code: '' })).toEqual({ acr: undefined, amr: ['pwd'] })
  }
  expect(await claims(ARBITRATOR)).toEqual({ acr: undefined, amr: ['pwd'] })
})

test('a wrong code signs nobody in, and neither does one of somebody without an authenticator', async () => {
  const right = await code()
  const wrong = right === '000000' ? '000001' : '000000'
  await expect(codeFlow(box.url, ARBITRATOR, { acrValues: ACR_WITH_CODE, code: wrong })).rejects.toThrow('401')
  await expect(codeFlow(box.url, 'operator@example.com', { acrValues: ACR_WITH_CODE, code: right })).rejects.toThrow(
    '401',
  )
})
