import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { claimsIn, codeFlow } from '#lib/testing/code-flow.ts'
import { type TestSandbox, testSandbox } from '#sandbox/testing/test-sandbox.ts'

let box: TestSandbox

beforeAll(async () => {
  box = await testSandbox()
})
beforeEach(() => box.reset())

const people = [
  ['operator@example.com', ['console-operators']],
  ['arbitrator@example.com', ['console-operators']],
  ['admin@example.com', ['console-operators', 'console-admins']],
  ['newcomer@example.com', ['console-operators']],
  ['viewer@example.com', ['console-viewers']],
  ['ana@example.com', undefined],
] as const

describe.each(people)('%s', (email, groups) => {
  test('the ID token of a sign-in, and of a refresh, has the groups of staff alone', async () => {
    const granted = await codeFlow(box.url, email)
    expect(claimsIn(granted.id_token)).toMatchObject({ email, email_verified: true })
    expect(claimsIn(granted.id_token).groups).toEqual(groups)
    const response = await fetch(`${box.url}/idp/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('operator-console:sandbox-console-secret')}` },
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: granted.refresh_token }),
    })
    const { id_token: renewed } = (await response.json()) as { id_token: string }
    expect(claimsIn(renewed).groups).toEqual(groups)
  })

  test('userinfo says whose token of Users/login it is', async () => {
    const { status, body } = await box.call('GET', '/idp/me', { as: email })
    expect(status).toBe(200)
    expect(body).toMatchObject({ email, email_verified: true })
    expect(body.groups).toEqual(groups)
    const scopes = await box.call('GET', `/api/v1/Users/${String(body.sub)}/scopes`, { as: email })
    expect(scopes.status).toBe(200)
  })
})

test('discovery names the userinfo endpoint', async () => {
  const { body } = await box.call('GET', '/idp/.well-known/openid-configuration')
  expect(body.userinfo_endpoint).toBe('http://localhost:4010/idp/me')
})

test('userinfo refuses what is no token, and one that has ended', async () => {
  expect((await box.call('GET', '/idp/me')).status).toBe(401)
  const bad = await box.call('GET', '/idp/me', { as: 'nonsense' })
  expect([bad.status, bad.headers.get('www-authenticate')]).toEqual([401, 'Bearer error="invalid_token"'])
  const token = await box.token('ana@example.com')
  const { body } = await box.call('GET', '/idp/me', { as: token })
  await box.call('POST', '/sandbox/tokens/expire', { body: { userId: body.sub } })
  expect((await box.call('GET', '/idp/me', { as: token })).status).toBe(401)
})
