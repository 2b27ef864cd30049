import { NextRequest } from 'next/server'
import { beforeAll, expect, test } from 'vitest'
import { configureForTest } from '#lib/testing/test-console.ts'
import { proxy } from '../proxy.ts'

beforeAll(() => {
  configureForTest()
})

const ask = (path: string) =>
  proxy(new NextRequest(`http://localhost:3000${path}`, { headers: { cookie: '__Host-console.sid=x' } }))

test.each([
  ...['/transactions/a%00b', '/deposits?reference=%00', '/%00', '/sign-in?why=%00', '/users/x/access?a=1&b=%00'],
  ...['/transactions/%ff', '/users/%ed%a0%80/access', '/disputes/%c0%ae'],
])('a page at %s is none: nothing of the address gets any further', (path) => {
  const response = ask(path)
  expect(response.headers.get('x-middleware-rewrite')).toBe('http://localhost:3000/not-found')
  expect(response.headers.get('content-security-policy')).not.toBeNull()
})

test.each(['/api/commands/%00', '/api/disputes/facts?reference=a%00'])('a call of %s is refused', async (path) => {
  const response = ask(path)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ ok: false, problem: { status: 400 } })
})

test.each(['/transactions/a%2500b', '/deposits?reference=100%25'])('%s is an address like any other', (path) => {
  expect(ask(path).headers.get('x-middleware-next')).toBe('1')
})
