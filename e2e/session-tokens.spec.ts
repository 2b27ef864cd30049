import type { Page } from '@playwright/test'
import { expect, test } from './support/fixtures.ts'
import { startPrograms } from './support/programs.ts'
import { handleOf } from './support/received.ts'
import { OPERATOR_ID, SandboxControls } from './support/sandbox-controls.ts'
import { signInThroughPages, signInWithPassword } from './support/sign-in.ts'

const OPERATOR = 'operator@example.com'
const NOTE = 'A note that only a page that could be read shows'

/** Both ways of signing in, where each refreshes, and what cannot be reached when that is out. */
const ways = [
  ['single sign-on', (page: Page) => signInThroughPages(page, OPERATOR), '/idp/token', 'Single sign-on'],
  [
    'a password',
    async (page: Page) => {
      await signInWithPassword(page, OPERATOR)
      await expect(page).toHaveURL('/')
    },
    '/api/v1/Users/refresh-token',
    'The service',
  ],
] as const

interface Storm {
  /** Of each console process. */
  readonly urls: readonly string[]
  readonly handle: string
  readonly sandbox: SandboxControls
  readonly refreshPath: string
  readonly expiries: number
}

const REQUESTS = process.env.TEST_LONG === 'on' ? 50 : 10

/** Lets the access token end, asks every process for many pages at once, and counts what arrived; so many times. */
async function storm({ urls, handle, sandbox, refreshPath, expiries }: Storm): Promise<void> {
  const reference = await sandbox.announceDeposit('ana@example.com', '7', NOTE)
  const ask = async (url: string) => {
    const headers = { cookie: `__Host-console.sid=${handle}` }
    const response = await fetch(`${url}/transactions/${reference}`, { headers, redirect: 'manual' })
    return { status: response.status, read: (await response.text()).includes(NOTE) }
  }
  for (let expiry = 1; expiry <= expiries; expiry += 1) {
    const before = await sandbox.arrived('POST', refreshPath)
    await sandbox.expireTokens(OPERATOR_ID)
    // The new tokens are long in coming, so that every request finds the old one.
    await sandbox.fault({ method: 'POST', path: refreshPath, effect: { delayMs: 1_500 } })
    const answers = await Promise.all(Array.from({ length: REQUESTS }, () => urls.map(ask)).flat())
    expect(answers).toEqual(Array(urls.length * REQUESTS).fill({ status: 200, read: true }))
    expect(await sandbox.arrived('POST', refreshPath)).toBe(before + 1)
  }
}

test('two processes over one PostgreSQL store refresh once per expiry between them', { tag: '@long' }, async ({
  browser,
  programs,
  sandbox,
}) => {
  const other = await programs.startAnotherConsole()
  for (const [, enter, refreshPath] of ways) {
    const context = await browser.newContext({ baseURL: programs.consoleUrl })
    await enter(await context.newPage())
    const urls = [programs.consoleUrl, other.url]
    await storm({ urls, handle: await handleOf(context), sandbox, refreshPath, expiries: 1 })
    await context.close()
  }
  await other.program.stop()
})

test('on the embedded store one process refreshes once per expiry', { tag: '@long' }, async ({ browser }) => {
  const own = await startPrograms({}, 'embedded')
  try {
    for (const [, enter, refreshPath] of ways) {
      const context = await browser.newContext({ baseURL: own.consoleUrl })
      await enter(await context.newPage())
      const sandbox = new SandboxControls(own.sandboxUrl)
      await storm({ urls: [own.consoleUrl], handle: await handleOf(context), sandbox, refreshPath, expiries: 5 })
      await context.close()
    }
  } finally {
    await own.stop()
  }
})

for (const [way, enter, refreshPath, out] of ways) {
  test(`after ${way}, an outage where tokens are renewed signs nobody out, however long it lasts`, {
    tag: '@long',
  }, async ({ page, sandbox }) => {
    const reference = await sandbox.announceDeposit('ana@example.com', '8', NOTE)
    await enter(page)
    await sandbox.fault({ method: 'POST', path: refreshPath, times: 1_000_000, effect: { status: 503 } })
    await sandbox.expireTokens(OPERATOR_ID)
    for (let visit = 0; visit < 15; visit += 1) {
      const answer = await page.request.get(`/transactions/${reference}`)
      expect(await answer.text()).toContain(`${out} cannot be reached`)
    }
    await page.goto(`/transactions/${reference}`)
    await expect(page.getByText(`${out} cannot be reached`)).toBeVisible()
    expect(await sandbox.arrived('POST', refreshPath)).toBeGreaterThanOrEqual(15)
    await sandbox.clearFaults()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText(NOTE)).toBeVisible()
  })

  test(`after ${way}, a refresh token that is dead leads to sign-in and back to the same address`, {
    tag: '@long',
  }, async ({ page, context, sandbox }) => {
    const reference = await sandbox.announceDeposit('ana@example.com', '9', NOTE)
    await enter(page)
    const handle = await handleOf(context)
    await sandbox.expireTokens(OPERATOR_ID, true)
    await page.goto(`/transactions/${reference}`)
    await expect(page.getByText('Your session has ended.')).toBeVisible()
    expect(new URL(page.url()).searchParams.get('to')).toBe(`/transactions/${reference}`)
    const start = page.url()
    await context.clearCookies()
    await signInThroughPages(page, OPERATOR, start)
    await expect(page).toHaveURL(`/transactions/${reference}`)
    await expect(page.getByText(NOTE)).toBeVisible()
    expect(await handleOf(context)).not.toBe(handle)
  })
}
