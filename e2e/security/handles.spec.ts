import { expect, test } from '../support/fixtures.ts'
import { open, type Route, routes } from '../support/routes.ts'
import {
  type Answer,
  arrivedAfter,
  ask,
  expectGuarded,
  HANDLE,
  JSON_BODY,
  latestAt,
  ownHeaders,
  signInAs,
  withHandle,
} from './http.ts'

const OPERATOR = 'operator@example.com'
const isPage = ({ file }: Route): boolean => file.endsWith('page.tsx')
const guarded = routes.filter(({ file }) => !(file in open))
const FORM = 'app/api/deposits/statements/route.ts'

/** Pages lead to sign-in, handlers answer 401, and neither says anything else. */
function expectOut(route: Route, answer: Answer, what: string): void {
  expectGuarded(answer, what)
  // A part of a page, for a script that moves on by itself, holds where to go in place of a status.
  // The framework answers a prefetch of data with nothing, before it asks any of our code.
  if (answer.text === '{}') return
  // It asks for a part of a page once more under a name of that part.
  const again = answer.status === 307 && answer.headers.location?.startsWith(`${route.address}?_rsc=`)
  if (again) return
  const moved = answer.status === 307 || answer.text.includes('NEXT_REDIRECT')
  if (isPage(route)) expect(moved, `${what}: ${answer.status} ${answer.text}`).toBe(true)
  else expect(answer.status, `${what}: ${answer.text}`).toBe(401)
  expect(answer.headers.location ?? '/sign-in', what).toMatch(/^(http:\/\/localhost:\d+)?\/sign-in/)
  expect(answer.text, what).not.toContain(OPERATOR)
}

test('opens nothing for forged, cut, joined or expired handles', {
  tag: '@long',
}, async ({ playwright, programs, sandbox: _seeded }) => {
  const { consoleUrl, postgres } = programs
  const people = await Promise.all(
    [OPERATOR, 'admin@example.com'].map((email) => signInAs(playwright.request, consoleUrl, email)),
  )
  const [one = '', other = ''] = people.map(({ handle }) => handle)
  const expired = async (column: string): Promise<string> => {
    const { handle } = await signInAs(playwright.request, consoleUrl, OPERATOR)
    const long = new Date(Date.now() - 13 * 3_600_000).toISOString()
    const [row] = (await postgres?.query('SELECT id FROM session ORDER BY created_at DESC LIMIT 1')) ?? []
    await postgres?.query(`UPDATE session SET ${column} = $1 WHERE id = $2`, [long, row?.id])
    return handle
  }
  const cookies: Readonly<Record<string, string>> = {
    'the id of one session and the secret of another': `${HANDLE}=${one.slice(0, 43)}${other.slice(43)}`,
    'the last character changed': `${HANDLE}=${one.slice(0, -1)}${one.endsWith('A') ? 'Q' : 'A'}`,
    'the last character cut': `${HANDLE}=${one.slice(0, -1)}`,
    'one character more': `${HANDLE}=${one}A`,
    'in another case': `${HANDLE}=${one.toLowerCase()}`,
    'with an escape': `${HANDLE}=%${one.charCodeAt(0).toString(16)}${one.slice(1)}x`,
    'under a name without the prefix': `console.sid=${one}`,
    'under a name in other letters': `__host-console.sid=${one}`,
    'ten kilobytes of it': `${HANDLE}=${'A'.repeat(10_000)}`,
    'a text of SQL': `${HANDLE}=' OR '1'='1`,
    'the name of a field of every object': `${HANDLE}=__proto__`,
    'idle for too long': `${HANDLE}=${await expired('last_active_at')}`,
    'past its absolute end': `${HANDLE}=${await expired('ends_at')}`,
  }
  for (const [what, cookie] of Object.entries(cookies)) {
    for (const route of guarded) {
      for (const method of route.methods) {
        const body = method === 'GET' ? undefined : '{}'
        const type = route.file === FORM ? { 'content-type': 'multipart/form-data; boundary=b' } : JSON_BODY
        const headers = { ...ownHeaders(consoleUrl), cookie, ...(body && type) }
        const answer = await ask(consoleUrl, { method, path: route.address, headers, ...(body && { body }) })
        expectOut(route, answer, `${method} ${route.address} with a handle ${what}`)
      }
    }
  }
})

/** Headers by which frameworks and proxies are told to skip, rewrite or believe something. */
const instructions: readonly Readonly<Record<string, string>>[] = [
  { 'x-middleware-subrequest': 'proxy:proxy:proxy:proxy:proxy' },
  { 'x-middleware-subrequest': 'src/middleware:middleware:middleware' },
  { 'x-middleware-prefetch': '1', purpose: 'prefetch' },
  { 'x-middleware-rewrite': '/security', 'x-middleware-next': '1' },
  { 'x-console-path': '//evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
  { forwarded: 'host=evil.example', 'x-host': 'evil.example', 'x-forwarded-server': 'evil.example' },
  { 'x-original-url': '/security', 'x-rewrite-url': '/security', 'x-invoke-path': '/security' },
  { 'x-matched-path': '/security', 'x-now-route-matches': '1', 'x-nextjs-data': '1' },
  { 'x-http-method-override': 'GET', 'x-method-override': 'GET' },
  { 'next-action': 'a'.repeat(42), 'x-action-forwarded': '1' },
  { authorization: 'Bearer a.b.c', 'x-forwarded-user': 'admin@example.com', 'x-remote-user': 'admin' },
  { rsc: '1', 'next-router-prefetch': '1' },
  { rsc: '1', 'next-router-state-tree': '%5B%22%22%2C%7B%7D%2Cnull%2Cnull%2C1%5D' },
]

test('lets no header skip guards, impersonate or redirect', {
  tag: '@long',
}, async ({ programs, sandbox: _seeded }) => {
  const { consoleUrl, sandboxUrl } = programs
  const latest = await latestAt(sandboxUrl)
  for (const told of instructions) {
    for (const shown of [{}, withHandle('none')]) {
      for (const route of guarded.filter(({ methods }) => methods.includes('GET'))) {
        const what = `${route.address} with ${JSON.stringify({ ...told, ...shown })}`
        const headers = { ...ownHeaders(consoleUrl), ...shown, ...told }
        const answer = await ask(consoleUrl, { path: route.address, headers })
        expectOut(route, answer, what)
        expect(answer.text + (answer.headers.location ?? ''), what).not.toContain('evil.example')
      }
    }
  }
  expect(await arrivedAfter(sandboxUrl, latest)).toEqual([])
})
