import { execFile } from 'node:child_process'
import type { BrowserContext, Page } from '@playwright/test'
import { confirmDeposit } from './support/deposit-tasks.ts'
import { test as base, expect, expectAccessible } from './support/fixtures.ts'
import { Lemonldap, type Service } from './support/lemonldap.ts'
import type { AnotherConsole, Environment } from './support/programs.ts'
import { findSecrets, handleOf } from './support/received.ts'
import { SandboxControls } from './support/sandbox-controls.ts'

/** `offline`: as docs/operations.md says. */
const CLIENTS = {
  offline: { seconds: 20, environment: { OIDC_CLIENT_AUTH: 'client_secret_post', OIDC_LOGOUT_HINT: 'on' } },
  online: { seconds: 600, environment: { OIDC_SCOPE: 'openid profile email', OIDC_USERINFO_MINUTES: '1' } },
} as const

interface LemonldapConsole extends AnotherConsole {
  readonly environment: Environment
  readonly service: Service
}

interface Fixtures {
  readonly openConsole: (name: keyof typeof CLIENTS) => Promise<LemonldapConsole>
  readonly controls: SandboxControls
  readonly seeded: undefined
}

interface WorkerFixtures {
  readonly lemonldap: Lemonldap
}

const STAFF = 'console-operators'
const someone = (ending: string, name: string, ...groups: readonly string[]) => ({
  id: `00000000-0000-4000-8000-000000000${ending}`,
  name,
  email: `${name.toLowerCase()}@example.com`,
  groups: ['everybody', ...groups],
})

const test = base.extend<Fixtures, WorkerFixtures>({
  lemonldap: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from this pattern.
    async ({}, use) => {
      const provider = await Lemonldap.start()
      await use(provider)
      await provider.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  controls: ({ programs }, use) => use(new SandboxControls(programs.sandboxUrl)),
  openConsole: async ({ programs, lemonldap, controls }, use) => {
    const opened = new Map<string, LemonldapConsole>()
    await use(async (name) => {
      const port = Number(new URL(programs.sandboxUrl).port)
      const service = await lemonldap.serve(name, port, (email) => controls.tokenOf(email))
      const { seconds, environment: more } = CLIENTS[name]
      const environmentAt = (consoleUrl: string): Environment => ({
        NEXTAUTH_URL: consoleUrl,
        CORE_API_URL: service.url,
        OIDC_ISSUER: `${lemonldap.issuer}/`,
        OIDC_CLIENT_ID: name,
        OIDC_CLIENT_SECRET: lemonldap.clientSecret,
        STAFF_CLAIM: `groups=${STAFF}`,
        PASSWORD_SIGN_IN: 'off',
        ...more,
      })
      const { url, program } = await programs.anotherConsole(name, (consoleUrl) => {
        lemonldap.register({ id: name, consoleUrl, refresh: name, accessTokenSeconds: seconds })
        return environmentAt(consoleUrl)
      })
      await lemonldap.waitForClient(name)
      const environment = { ...programs.consoleEnvironment, ...environmentAt(url) }
      const console = { url, program, environment, service }
      opened.set(name, console)
      return console
    })
    const places = [...opened].map(([name, { program }]) => ({ what: `the log of ${name}`, text: program.printed }))
    expect(findSecrets(places, lemonldap.secrets)).toEqual([])
  },
  baseURL: async ({ openConsole }, use) => use((await openConsole('offline')).url),
  seeded: [
    async ({ lemonldap: { people } }, use) => {
      people.set('operator', someone('001', 'Operator', STAFF))
      people.set('viewer', someone('004', 'Viewer', STAFF))
      people.set('ana', someone('011', 'Ana'))
      await use(undefined)
    },
    { auto: true },
  ],
})

async function enterAtProvider(page: Page, { issuer, password }: Lemonldap, login: string): Promise<void> {
  await page.waitForURL(`${issuer}/**`)
  await page.locator('#userfield').fill(login)
  await page.locator('#passwordfield').fill(password)
  await page.getByRole('button', { name: 'Connect' }).click()
}

async function signIn(page: Page, provider: Lemonldap, login: string, url = ''): Promise<void> {
  await page.goto(`${url}/deposits`)
  await page.getByRole('button', { name: /Continue with/ }).click()
  await enterAtProvider(page, provider, login)
  const name = provider.people.get(login)?.name
  await expect(page.getByRole('button', { name: `Account: ${name}` })).toBeVisible()
}

/** 307 leads to sign-in. */
async function statusOf(address: string, context: BrowserContext): Promise<number> {
  const headers = { cookie: `__Host-console.sid=${await handleOf(context)}` }
  return (await fetch(address, { headers, redirect: 'manual' })).status
}

interface Diagnosis {
  readonly findings: readonly { readonly level: string; readonly what: string }[]
}

const askDoctor = (environment: Environment): Promise<Diagnosis> =>
  new Promise((done) => {
    const args = ['--conditions=react-server', 'scripts/doctor.ts', '--json']
    execFile(process.execPath, args, { env: { ...process.env, ...environment } }, (_error, text) =>
      done(JSON.parse(text) as Diagnosis),
    )
  })

test('satisfies the doctor, unless the secret is wrong', { tag: '@long' }, async ({ openConsole }) => {
  const { environment } = await openConsole('offline')
  const wordsOf = ({ findings }: Diagnosis, level: string) =>
    findings.filter((finding) => finding.level === level).map(({ what }) => what)
  const right = await askDoctor(environment)
  expect(wordsOf(right, 'wrong')).toEqual([])
  expect(wordsOf(right, 'good')).toContain('OIDC_ISSUER is a usable identity provider.')
  // What the provider offers, but its discovery document does not list.
  expect(wordsOf(right, 'note')).toEqual([
    'OIDC_ISSUER does not list all requested scopes: offline_access.',
    'OIDC_ISSUER does not list a required claim: groups.',
    'OIDC_ISSUER does not announce back-channel logout.',
  ])
  const wrong = await askDoctor({ ...environment, OIDC_CLIENT_SECRET: 'another' })
  expect(wordsOf(wrong, 'wrong').join()).toContain('does not accept the client’s id with its secret')
})

test('signs staff in, with the scopes of each', { tag: '@long' }, async ({ page, lemonldap, controls, browser }) => {
  await signIn(page, lemonldap, 'operator')
  await confirmDeposit(page, await controls.announceDeposit('ana@example.com', '12'), '12')
  const other = await browser.newContext({ baseURL: new URL(page.url()).origin })
  const viewer = await other.newPage()
  await signIn(viewer, lemonldap, 'viewer')
  await viewer.goto('/deposits/statements')
  await expect(viewer.locator('[data-refused="page"]')).toContainText('core:transactions:confirm')
  await other.close()
})

test('refuses a person outside the staff group', { tag: '@long' }, async ({ page, context, lemonldap }) => {
  await page.goto('/deposits')
  await page.getByRole('button', { name: /Continue with/ }).click()
  await enterAtProvider(page, lemonldap, 'ana')
  const alert = page.getByRole('alert').filter({ hasText: 'Your account is not marked as staff' })
  await expect(alert).toContainText('Ask your administrator')
  expect((await context.cookies()).filter(({ name }) => name === '__Host-console.sid')).toEqual([])
  await expectAccessible(page)
  // The provider asks nobody again within five seconds.
  const renew = page.getByRole('button', { name: 'Renew session' })
  await expect(async () => {
    await page.getByRole('button', { name: 'Sign in with another account' }).click()
    await expect(renew).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await renew.click()
  await enterAtProvider(page, lemonldap, 'operator')
  await expect(page.getByRole('button', { name: 'Account: Operator' })).toBeVisible()
})

for (const name of ['offline', 'online'] as const) {
  test(`ends the provider’s session at sign-out: ${name}`, { tag: '@long' }, async ({
    page,
    lemonldap,
    openConsole,
  }) => {
    const { url } = await openConsole(name)
    await signIn(page, lemonldap, 'operator', url)
    await page.getByRole('button', { name: /^Account:/ }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    // Without the ID token in the address, the provider asks.
    if (name === 'online') await page.getByRole('button', { name: 'Accept' }).click()
    await expect(page.getByText('Single sign-on was asked to end its session')).toBeVisible()
    await page.getByRole('link', { name: 'Sign in again' }).click()
    await page.getByRole('button', { name: /Continue with/ }).click()
    await expect(page.locator('#passwordfield')).toBeVisible()
  })
}

const ENDS: readonly (readonly [what: string, end: (provider: Lemonldap) => void])[] = [
  ['the person is removed', ({ people }) => people.delete('operator')],
  ['the person leaves the staff group', ({ people }) => people.set('operator', someone('001', 'Operator'))],
  ['the sessions are deleted', (provider) => provider.deleteSessions('operator')],
]

for (const [what, end] of ENDS) {
  test(`renews tokens until ${what}`, { tag: '@long' }, async ({ page, context, lemonldap, controls, openConsole }) => {
    const { url, service } = await openConsole('offline')
    await signIn(page, lemonldap, 'operator')
    const before = service.tokens.size
    // A page that is read from the service each time.
    const address = `${url}/transactions/${await controls.announceDeposit('ana@example.com', '1')}`
    await expect.poll(async () => [await statusOf(address, context), service.tokens.size > before]).toEqual([200, true])
    end(lemonldap)
    await expect.poll(() => statusOf(address, context)).toBe(307)
    await page.goto('/deposits')
    await expect(page.getByText('Your session has ended.')).toBeVisible()
  })
}

test('ends a session by userinfo, once the provider deleted its own', { tag: '@long' }, async ({
  page,
  context,
  lemonldap,
  openConsole,
}) => {
  const { url, program } = await openConsole('online')
  await signIn(page, lemonldap, 'operator', url)
  lemonldap.deleteSessions('operator')
  await page.goto('about:blank')
  await expect.poll(() => program.printed, { timeout: 180_000 }).toContain('"event":"userinfo","status":401')
  await expect.poll(() => statusOf(`${url}/deposits`, context)).toBe(307)
})

test('signs in at the second click after an abandoned sign-in', { tag: '@long' }, async ({ page, lemonldap }) => {
  const proceed = page.getByRole('button', { name: /Continue with/ })
  await page.goto('/deposits')
  await proceed.click()
  await expect(page.locator('#passwordfield')).toBeVisible()
  await page.goto('/deposits')
  await proceed.click()
  // The provider answers the first request, and forgets the second.
  await enterAtProvider(page, lemonldap, 'operator')
  await expect(page.getByRole('alert').filter({ hasText: 'Single sign-on did not finish. Try again' })).toBeVisible()
  await proceed.click()
  await expect(page.getByRole('button', { name: 'Account: Operator' })).toBeVisible()
})

test('accepts new keys in sign-ins and renewals', { tag: '@long' }, async ({
  page,
  context,
  browser,
  lemonldap,
  controls,
  openConsole,
}) => {
  const { url, program, service } = await openConsole('offline')
  await signIn(page, lemonldap, 'operator')
  await lemonldap.rotateKeys()
  const other = await browser.newContext({ baseURL: url })
  await signIn(await other.newPage(), lemonldap, 'viewer')
  await other.close()
  const before = service.tokens.size
  const address = `${url}/transactions/${await controls.announceDeposit('ana@example.com', '1')}`
  await expect.poll(async () => [await statusOf(address, context), service.tokens.size > before]).toEqual([200, true])
  expect(program.printed).not.toContain('an ID token that came with a refresh is not valid')
})
