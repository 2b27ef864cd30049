import { unstable_doesMiddlewareMatch as runsAt } from 'next/experimental/testing/server'
import { NextRequest } from 'next/server'
import { beforeAll, expect, test } from 'vitest'
import { handlers, pages } from '#lib/authorization/routes.ts'
import { configureForTest } from '#lib/testing/test-console.ts'
import nextConfig from '../next.config.mjs'
import { config, proxy } from '../proxy.ts'

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

test.each(['/api/commands/%00', '/api/disputes/queue?text=a%00'])('a call of %s is refused', async (path) => {
  const response = ask(path)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ ok: false, problem: { status: 400 } })
})

test.each(['/transactions/a%2500b', '/deposits?reference=100%25'])('%s is an address like any other', (path) => {
  expect(ask(path).headers.get('x-middleware-next')).toBe('1')
})

const sample = (template: string): string => template.replace(/\[(\.{3})?\w+\]/g, 'e6f1c3a2-5b7d')

test('it runs for every page and every handler, and for no file', () => {
  const runs = (path: string) => runsAt({ config, nextConfig, url: `http://localhost:3000${path}` })
  const routes = [...Object.keys(pages), ...Object.keys(handlers)].map(sample)
  expect(routes.length).toBeGreaterThan(50)
  for (const path of [...routes, '/nothing-here', '/icon.svg/x', '/_next/image', '/a/_next/static/b.js'])
    expect(runs(path), path).toBe(true)
  for (const path of ['/_next/static/chunks/a.js', '/_next/static/media/a.woff2', '/icon.svg', '/favicon.ico'])
    expect(runs(path), path).toBe(false)
})

const scriptsOf = (path: string): string | undefined =>
  /script-src ([^;]+);/.exec(ask(path).headers.get('content-security-policy') ?? '')?.[1]

test('pages of the frame run scripts by a nonce of their own; nothing else runs any', () => {
  for (const path of Object.keys(pages).map(sample)) {
    expect(ask(path).headers.get('x-middleware-next'), path).toBe('1')
    expect(scriptsOf(path), path).toMatch(/^'nonce-[\w+/]{22}==' 'strict-dynamic'$/)
    expect(scriptsOf(path), path).not.toBe(scriptsOf(path))
  }
  for (const path of Object.keys(handlers).map(sample)) {
    expect(ask(path).headers.get('x-middleware-next'), path).toBe('1')
    expect(scriptsOf(path), path).toBe("'none'")
  }
})

test.each(['/nothing-here', '/users/a/b', '/deposits/x', '/_next/image', '/icon.svg/x', '/sign-in/x'])(
  '%s is no page, which is said without a script',
  (path) => {
    expect(ask(path).headers.get('x-middleware-rewrite')).toBe('http://localhost:3000/not-found')
    expect(scriptsOf(path)).toBe("'none'")
  },
)

test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('a page takes no %s', (method) => {
  const headers = { cookie: '__Host-console.sid=x', 'next-action': 'a'.repeat(42) }
  const response = proxy(new NextRequest('http://localhost:3000/deposits', { method, headers }))
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  expect(response.headers.get('cache-control')).toBe('no-store')
})

test('a call of no address is told so', async () => {
  expect(ask('/api/nothing-here').status).toBe(404)
  expect(await ask('/api/nothing-here').json()).toMatchObject({ ok: false, problem: { status: 404 } })
})

test.each(['/%zz', '/nothing-here', '/users', '/users?a=%00', '/deposits/../x'])(
  'a visitor without a cookie is led from %s to sign-in, and back',
  (path) => {
    const response = proxy(new NextRequest(`http://localhost:3000${path}`))
    expect(response.status).toBe(307)
    expect(response.headers.get('location')).toMatch(/^http:\/\/localhost:3000\/sign-in\?to=%2F/)
  },
)
