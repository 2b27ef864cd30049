import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { type Asked, builtRoutes, everythingAsked, type Got, people, signInOf } from './support/access.ts'
import { expect, test } from './support/fixtures.ts'
import { handleOf } from './support/received.ts'
import { eightAtOnce } from './support/routes.ts'
import { PASSWORD } from './support/sandbox-controls.ts'
import { signIn, signInWithPassword } from './support/sign-in.ts'

/** Somebody of each kind; of the holders any one. */
const emailOf = (person: string): string => `${person === 'holder' ? 'ana' : person}@example.com`

const SIGN_OUT = '/api/session/sign-out'
const UNKNOWN = 'e6f1c3a2-5b7d-4e8f-9a0b-1c2d3e4f5a6b'

/** An address of a route; a new id for a change, so that no change is asked for twice. */
const addressOf = ({ route, kind }: Asked): string => {
  const filled = route
    .replace('[number]', '1')
    .replace('[...nextauth]', 'nothing')
    .replace(/\[\w+\]/g, () => (kind === '' ? UNKNOWN : randomUUID()))
  return route === '/api/export/history' ? `${filled}?account=${UNKNOWN}` : filled
}

/** Asks as a page of the console does, with a body that nothing can be done with. */
function ask(consoleUrl: string, asked: Asked, cookie: Record<string, string>): Promise<Response> {
  const { route, method, kind } = asked
  const url = consoleUrl + addressOf(asked)
  if (method === 'page') return fetch(url, { headers: cookie, redirect: 'manual' })
  const own = { 'x-console': '1', 'sec-fetch-site': 'same-origin', origin: consoleUrl, ...cookie }
  if (method === 'GET') return fetch(url, { headers: own, redirect: 'manual' })
  const form = route === '/api/deposits/statements'
  const type = form ? 'multipart/form-data; boundary=b' : 'application/json'
  const json = JSON.stringify(kind === '' ? { nothing: 'of use' } : { kind, params: { nothing: 'of use' } })
  const body = form ? '--b--\r\n' : json
  return fetch(url, { method, headers: { ...own, 'content-type': type }, body, redirect: 'manual' })
}

async function gotFrom({ method }: Asked, response: Response): Promise<Got | string> {
  const { status } = response
  const text = await response.text()
  if (method !== 'page') {
    if (status === 401) return 'refused'
    if (status === 403) return '403'
    return status < 500 ? 'in' : `a fault: ${status}`
  }
  const to = response.headers.get('location')
  if (to !== null && new URL(to, 'http://console.invalid').pathname === '/sign-in') return 'refused'
  if (status === 200 && !/<title>[^<]+ · Operator Console<\/title>/.test(text)) return 'a page without a title'
  if (text.includes('data-refused="page"')) return '403'
  return status < 500 ? 'in' : `a fault: ${status}`
}

/** What differs from the document, one line each; the session is ended last. */
async function differences(consoleUrl: string, person: string, cookie: Record<string, string>): Promise<string[]> {
  const difference = async (asked: Asked): Promise<string[]> => {
    const { route, method, kind, by } = asked
    const got = await gotFrom(asked, await ask(consoleUrl, asked, cookie))
    const said = by.get(person)
    return got === said ? [] : [`${person}: ${method} ${kind} ${route}: ${got}, and the document says ${said}`]
  }
  const isSignOut = ({ route }: Asked): boolean => route === SIGN_OUT
  const found = [
    ...(await eightAtOnce(
      everythingAsked.filter((asked) => !isSignOut(asked)),
      difference,
    )),
    ...(await eightAtOnce(everythingAsked.filter(isSignOut), difference)),
  ]
  return found.flat()
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
    ...new Set(everythingAsked.filter(({ method }) => (method === 'page') === isPage).map(({ route }) => route)),
  ]
  expect(named(true).sort()).toEqual(pages)
  expect(named(false).sort()).toEqual(handlers)
  expect(people.length).toBe(6)
})

for (const person of people) {
  const { sso, password } = signInOf(person)

  test(`${person}, by SSO, gets what the document says`, async ({ page, programs, expectedErrors }) => {
    if (sso === 'refused') {
      expectedErrors.push(/status of 40[13]/)
      await refusedBySso(page, emailOf(person))
      expect(await differences(programs.consoleUrl, person, {})).toEqual([])
      return
    }
    await signIn(page, emailOf(person), '/')
    expect(await differences(programs.consoleUrl, person, await cookieOf(page))).toEqual([])
  })

  // A person's scopes are the same after either sign-in.
  const tag = person === 'holder' ? [] : ['@long']
  test(`${person}, with a password, gets what the document says`, { tag }, async ({
    page,
    programs,
    expectedErrors,
  }) => {
    await signInWithPassword(page, emailOf(person))
    if (password === 'refused') {
      expectedErrors.push(/status of 40[13]/)
      await expectNoSession(page)
      expect(await differences(programs.consoleUrl, 'holder', {})).toEqual([])
      return
    }
    await expect(page).toHaveURL('/')
    expect(await differences(programs.consoleUrl, person, await cookieOf(page))).toEqual([])
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
  await expect(page.getByRole('alert').filter({ hasText: 'This console is for staff' })).toBeVisible()
  const cookies = await page.context().cookies()
  expect(cookies.map(({ name }) => name)).not.toContain('__Host-console.sid')
}
