import { NextRequest } from 'next/server'
import { beforeEach, describe, expect, test } from 'vitest'
import { configureForTest } from '#lib/testing/test-console.ts'
import { FORM_MAX_BYTES, judgeStep } from './handshake-request.ts'

const CONSOLE = 'http://localhost:3000'
const FORM = {
  'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
  'sec-fetch-site': 'same-origin',
  origin: CONSOLE,
}

beforeEach(() => void configureForTest({ PASSWORD_SIGN_IN: 'on' }))

const get = (step: string, query = '') => judgeStep(new NextRequest(`${CONSOLE}/api/auth/${step}${query}`), step)
const post = (step: string, body: BodyInit = '', headers: Readonly<Record<string, string>> = FORM, query = '') =>
  judgeStep(
    new NextRequest(`${CONSOLE}/api/auth/${step}${query}`, {
      method: 'POST',
      headers,
      body,
      ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
    }),
    step,
  )
const statusOf = async (judged: ReturnType<typeof judgeStep>) => {
  const result = await judged
  return result.ok ? 'taken' : result.status
}

describe('what is no step of the handshake is refused', () => {
  test.each([
    ['GET', 'callback/password', 405],
    ['GET', 'signin/sso', 405],
    ['POST', 'callback/sso', 405],
    ['POST', 'csrf', 405],
    ['GET', 'callback/other', 404],
    ['POST', 'signin/password', 404],
    ['POST', 'signout', 404],
    ['GET', 'providers', 404],
    ['GET', 'signin', 404],
    ['GET', 'error', 404],
    ['GET', 'constructor', 404],
    ['GET', 'csrf', 'taken'],
    ['GET', 'callback/sso', 'taken'],
    ['POST', 'callback/password', 'taken'],
    ['POST', 'signin/sso', 'taken'],
  ])('%s %s', async (method, step, status) => {
    expect(await statusOf(method === 'GET' ? get(step) : post(step))).toBe(status)
  })

  test('passwords that are off have no address', async () => {
    configureForTest({ PASSWORD_SIGN_IN: 'off' })
    expect(await statusOf(post('callback/password'))).toBe(404)
  })
})

describe('an address to go on to', () => {
  test.each([
    ['/deposits', 'taken'],
    ['/signed-in?to=%2Fdeposits', 'taken'],
    [`${CONSOLE}/deposits`, 'taken'],
    ['https://evil.example/', 400],
    ['//evil.example', 400],
    ['/\\evil.example', 400],
    ['http://localhost:3001/', 400],
    ['javascript:alert(1)', 400],
    ['http://localhost:3000@evil.example/', 400],
    // What next-auth, or a header, would fail on.
    ['@evil.example', 400],
    ['', 400],
    ['/a\u2028b', 400],
    ['/a\nb', 400],
  ])('%s', async (to, status) => {
    const query = `?${new URLSearchParams({ callbackUrl: to })}`
    expect(await statusOf(get('csrf', query))).toBe(status)
    expect(await statusOf(get('callback/sso', query))).toBe(status)
    expect(await statusOf(post('callback/password', new URLSearchParams({ callbackUrl: to }).toString()))).toBe(status)
    // The last of two is the one that counts.
    expect(await statusOf(post('callback/password', `callbackUrl=/&${new URLSearchParams({ callbackUrl: to })}`))).toBe(
      status,
    )
  })
})

test('at the start of single sign-on, nothing but a prompt goes on to the provider', async () => {
  expect(await statusOf(post('signin/sso', '', FORM, '?prompt=login'))).toBe('taken')
  for (const query of ['?prompt=none', '?redirect_uri=https://evil.example', '?prompt=login&scope=all']) {
    expect(await statusOf(post('signin/sso', '', FORM, query))).toBe(400)
  }
})

test('a form is read up to its bound, however it was sent, and goes on whole', async () => {
  const stream = (bytes: number) => new Blob(['a='.padEnd(bytes, 'x')]).stream()
  expect(await statusOf(post('callback/password', stream(FORM_MAX_BYTES + 1)))).toBe(413)
  expect(await statusOf(post('callback/password', 'a='.padEnd(FORM_MAX_BYTES + 1, 'x')))).toBe(413)
  const judged = await post('callback/password', stream(FORM_MAX_BYTES))
  expect(judged.ok && (await judged.request.text())).toHaveLength(FORM_MAX_BYTES)
  expect(judged.ok && judged.request.headers.get('content-type')).toBe(FORM['content-type'])
})

test('what is no form, and a form of another site, are refused', async () => {
  expect(await statusOf(post('callback/password', '{}', { ...FORM, 'content-type': 'application/json' }))).toBe(415)
  expect(await statusOf(post('callback/password', 'a=b', { ...FORM, origin: 'https://evil.example' }))).toBe(403)
  expect(await statusOf(post('callback/password', 'a=b', { ...FORM, 'sec-fetch-site': 'same-site' }))).toBe(403)
})
