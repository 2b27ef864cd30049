import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { builtRoutes, type Call, everyCall, type Got, people, signInOf } from './support/access.ts'
import { expect, test } from './support/fixtures.ts'
import { handleOf } from './support/received.ts'
import { eightAtOnce } from './support/routes.ts'
import { PASSWORD, type SandboxControls } from './support/sandbox-controls.ts'
import { signIn, signInWithPassword } from './support/sign-in.ts'
import {
  expectedAnswer,
  goneRequests,
  inShort,
  makeSubjects,
  NO_SUBJECTS,
  type Subjects,
  validBody,
} from './support/valid-requests.ts'

/** Somebody of each kind; of the holders any one. */
const emailOf = (person: string): string => `${person === 'holder' ? 'ana' : person}@example.com`

const READ = { 'x-console': '1', 'sec-fetch-site': 'same-origin' }
const SIGN_OUT = '/api/session/sign-out'
const UNKNOWN = 'e6f1c3a2-5b7d-4e8f-9a0b-1c2d3e4f5a6b'

/** An address of a route; a new id for a change, so that no change is asked for twice. */
const addressOf = ({ route, kind }: Call): string => {
  const filled = route
    .replace('[number]', '1')
    .replace('[...nextauth]', 'signin/sso')
    .replace(/\[\w+\]/g, () => (kind === '' ? UNKNOWN : randomUUID()))
  return route === '/api/export/history' ? `${filled}?account=${UNKNOWN}` : filled
}

interface Visitor {
  readonly person: string
  readonly cookie: Record<string, string>
  readonly subjects: Subjects
}

/** Asks as a page of the console does. */
function ask(consoleUrl: string, call: Call, { cookie, subjects }: Visitor): Promise<Response> {
  const { method } = call
  const url = consoleUrl + addressOf(call)
  if (method === 'page') return fetch(url, { headers: cookie, redirect: 'manual' })
  const own = { 'x-console': '1', 'sec-fetch-site': 'same-origin', origin: consoleUrl, ...cookie }
  if (method === 'GET') return fetch(url, { headers: own, redirect: 'manual' })
  const body = validBody(call, subjects)
  if (body === null) return fetch(url, { method, headers: own, redirect: 'manual' })
  return fetch(url, { method, headers: { ...own, 'content-type': body.type }, body: body.text, redirect: 'manual' })
}

/** Of a permitted read, where it is not 200: nothing has the id that it names. */
const answersOfReads: Readonly<Record<string, readonly number[]>> = {
  '/activity/[id]': [404],
  '/approvals/[id]': [404],
  '/deposits/statements/[id]': [404],
  '/not-found': [404],
  // To Home, once signed in.
  '/sign-in': [200, 303],
  '/signed-out': [200, 303],
  '/api/auth/[...nextauth]': [405],
  '/api/commands/[id]': [404],
  '/api/deposits/statements/[id]/file': [404],
  '/api/deposits/statements/[id]/found-references': [404],
  '/api/deposits/statements/[id]/results': [404],
  '/api/disputes/[caseId]/evidence': [404],
  '/api/disputes/[caseId]/similar': [404],
  '/api/export/evidence': [404],
  '/api/log/checkpoint': [404],
  '/api/metrics': [404],
  // Without a page.
  '/api/session/drafts': [400],
}

/** `in` for a change: what comes for a valid one. */
async function gotFrom(call: Call, person: string, response: Response): Promise<Got | string> {
  const { method, route } = call
  const { status } = response
  const isRead = (answersOfReads[route] ?? [200]).includes(status)
  if (method !== 'page') {
    if (status === 401) return 'refused'
    if (status === 403) return '403'
    if (method === 'GET') return isRead ? 'in' : `an answer ${status}`
    const [came, expected] = [await inShort(response), expectedAnswer(call, person)]
    return came === expected ? 'in' : `"${came}" in place of "${expected}"`
  }
  const text = await response.text()
  const to = response.headers.get('location')
  if (to !== null && new URL(to, 'http://console.invalid').pathname === '/sign-in') return 'refused'
  if (status === 200 && !/<title>[^<]+ · Operator Console<\/title>/.test(text)) return 'a page without a title'
  if (text.includes('data-refused="page"')) return '403'
  return isRead ? 'in' : `an answer ${status}`
}

/** What differs from the document, one line each. */
async function differences(consoleUrl: string, visitor: Visitor): Promise<string[]> {
  const { person } = visitor
  const difference = async (call: Call): Promise<string[]> => {
    const { route, method, kind, by } = call
    const got = await gotFrom(call, person, await ask(consoleUrl, call, visitor))
    const said = by.get(person)
    return got === said ? [] : [`${person}: ${method} ${kind} ${route}: ${got}, and the document says ${said}`]
  }
  const found: string[][] = []
  const inTurn = (turn: Turn) => everyCall.filter((call) => turnOf(call) === turn)
  found.push(...(await eightAtOnce(inTurn('any'), difference)))
  for (const call of [...inTurn('alone'), ...inTurn('last')]) found.push(await difference(call))
  return found.flat()
}

type Turn = 'any' | 'alone' | 'last'

/** Changes without a dialog take locks that others of them need. */
function turnOf({ route, method, kind }: Call): Turn {
  if (route === SIGN_OUT) return 'last'
  return method === 'PUT' && kind !== '' ? 'alone' : 'any'
}

const outsider = (person: string): Visitor => ({ person, cookie: {}, subjects: NO_SUBJECTS })

async function visitorOf(person: string, page: Page, sandbox: SandboxControls): Promise<Visitor> {
  const { actor } = (await (await page.request.get('/api/session/state', { headers: READ })).json()) as {
    actor: string
  }
  return { person, cookie: await cookieOf(page), subjects: await makeSubjects(sandbox, actor, everyCall) }
}

const cookieOf = async (page: Page): Promise<Record<string, string>> => {
  const handle = await handleOf(page.context())
  // The page that is open asks by itself, and must not be refused while its session is ended.
  await page.goto('about:blank')
  return { cookie: `__Host-console.sid=${handle}` }
}

test('the document names every page and every handler of the build, and nothing else', () => {
  const { pages, handlers } = builtRoutes()
  expect(pages.length).toBeGreaterThan(15)
  const named = (isPage: boolean) => [
    ...new Set(everyCall.filter(({ method }) => (method === 'page') === isPage).map(({ route }) => route)),
  ]
  expect(named(true).sort()).toEqual(pages)
  expect(named(false).sort()).toEqual(handlers)
  expect(people.length).toBe(6)
  expect(goneRequests(everyCall)).toEqual([])
})

for (const person of people) {
  const { sso, password } = signInOf(person)

  test(`${person}, by SSO, gets what the document says`, async ({ page, programs, sandbox, expectedErrors }) => {
    if (sso === 'refused') {
      expectedErrors.push(/status of 40[13]/)
      await refusedBySso(page, emailOf(person))
      expect(await differences(programs.consoleUrl, outsider(person))).toEqual([])
      return
    }
    await signIn(page, emailOf(person), '/')
    expect(await differences(programs.consoleUrl, await visitorOf(person, page, sandbox))).toEqual([])
  })

  // A person's scopes are the same after either sign-in.
  test(`${person}, with a password, gets what the document says`, { tag: '@long' }, async ({
    page,
    programs,
    sandbox,
    expectedErrors,
  }) => {
    await signInWithPassword(page, emailOf(person))
    if (password === 'refused') {
      expectedErrors.push(/status of 40[13]/)
      await expectNoSession(page)
      expect(await differences(programs.consoleUrl, outsider('holder'))).toEqual([])
      return
    }
    await expect(page).toHaveURL('/')
    expect(await differences(programs.consoleUrl, await visitorOf(person, page, sandbox))).toEqual([])
  })
}

/** The identity provider knows them, and the console does not let them in. */
async function refusedBySso(page: Page, email: string): Promise<void> {
  await page.goto('/')
  await page.getByRole('button', { name: /Continue with/ }).click()
  await page.waitForURL(/\/idp\/sign-in\//)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expectNoSession(page)
}

async function expectNoSession(page: Page): Promise<void> {
  await expect(page.getByRole('alert').filter({ hasText: 'Your account is not marked as staff' })).toBeVisible()
  const cookies = await page.context().cookies()
  expect(cookies.map(({ name }) => name)).not.toContain('__Host-console.sid')
}
