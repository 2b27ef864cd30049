import { type Browser, chromium, type Page } from '@playwright/test'
import { SEED_PASSWORD } from '#sandbox/seed/people.ts'
import { systemChromium } from '../scripts/browser.ts'
import type { Figures } from './aims.ts'
import type { Client } from './client.ts'
import type { ConsoleProcess } from './console-process.ts'
import { measureMessages } from './live-messages.ts'
import { measureOpening } from './live-opening.ts'
import { Operator } from './operator.ts'

const ARBITRATOR = 'arbitrator@example.com'
/** The seeded case with 120 messages is between these two. */
const WRITER = 'ben@example.com'
const LONG_THREAD = 120

/** Messages of a live case, and how long a case with a long thread takes to open. */
export async function measureInBrowser(client: Client, console: ConsoleProcess, serviceUrl: string): Promise<Figures> {
  const executablePath = systemChromium()
  const browser = await chromium.launch({
    ...(executablePath === null ? {} : { executablePath }),
    args: ['--no-sandbox', '--disable-gpu'],
  })
  const operator = await Operator.signIn(console.url, ARBITRATOR)
  try {
    const page = await signedInPage(browser, console.url)
    const party = await client.tokenOf(WRITER)
    // Before anything is posted in the long thread.
    await measureOpening({ client, operator, page, party })
    return await measureMessages({
      client,
      serviceUrl,
      page,
      operator,
      caseId: await longOpenCase(client, party),
      writer: party,
      listener: await client.tokenOf(ARBITRATOR),
    })
  } finally {
    operator.close()
    await browser.close()
  }
}

async function signedInPage(browser: Browser, consoleUrl: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: consoleUrl, viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await page.goto('/sign-in')
  await page.getByLabel('E-mail').fill(ARBITRATOR)
  await page.getByLabel('Password').fill(SEED_PASSWORD)
  await page.getByRole('button', { name: 'Sign in with a password' }).click()
  await page.getByRole('button', { name: /^Account:/ }).waitFor()
  return page
}

/** The open case with the longest thread, as the aim has it. */
async function longOpenCase(client: Client, party: string): Promise<string> {
  const { cases } = await client.ask({ path: '/api/v1/Dispute?pageSize=100', token: party })
  for (const { id, status } of cases) {
    if (status !== 'OPEN') continue
    const { totalCount } = await client.ask({ path: `/api/v1/Dispute/${id}/messages?pageSize=1`, token: party })
    if (totalCount === LONG_THREAD) return id
  }
  throw new Error(`no open case has ${LONG_THREAD} messages`)
}
