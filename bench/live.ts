import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { SEED_PASSWORD } from '#sandbox/seed/people.ts'
import { startProcess } from '#sandbox/testing/sandbox-process.ts'
import { systemChromium } from '../scripts/browser.ts'
import { buildIfStale } from '../scripts/build.ts'
import { Client } from './client.ts'
import { type ConsoleProcess, startConsole } from './console-process.ts'
import { measureMessages } from './live-messages.ts'
import { measureOpening } from './live-opening.ts'
import { measureStreams } from './live-streams.ts'
import { Operator } from './operator.ts'

const ARBITRATOR = 'arbitrator@example.com'
/** The seeded case with 120 messages is between these two. */
const WRITER = 'ben@example.com'

/** `npm run bench`: live cases of the built console, in a browser and as streams. Asserts nothing; prints what one run gave. */
async function bench(): Promise<void> {
  await buildIfStale()
  const folder = mkdtempSync(join(tmpdir(), 'bench-live-'))
  const sandbox = await startProcess({ SANDBOX_SEED: 'large', SANDBOX_DATABASE_URL: `file:${join(folder, 'sandbox')}` })
  const client = new Client(sandbox.url)
  // Streams have a process of their own: one that has rendered pages holds memory for them, and streams would use it up first.
  const parts = { browser: measureInBrowser, streams: measureStreams }
  try {
    for (const [name, measure] of Object.entries(parts)) {
      const console = await startConsole(sandbox.url, `file:${join(folder, name)}`)
      await measure(client, console, sandbox.url).finally(() => console.end())
    }
  } finally {
    client.close()
    await sandbox.end('SIGTERM')
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measureInBrowser(client: Client, console: ConsoleProcess, serviceUrl: string): Promise<void> {
  const executablePath = systemChromium()
  const browser = await chromium.launch({
    ...(executablePath === null ? {} : { executablePath }),
    args: ['--no-sandbox', '--disable-gpu'],
  })
  const operator = await Operator.signIn(console.url, ARBITRATOR)
  try {
    const page = await signedInPage(browser, console.url)
    const party = await client.tokenOf(WRITER)
    await measureMessages({
      client,
      serviceUrl,
      page,
      operator,
      caseId: await openCase(client, party),
      writer: party,
      listener: await client.tokenOf(ARBITRATOR),
    })
    await measureOpening({ client, operator, page, party })
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

async function openCase(client: Client, party: string): Promise<string> {
  const { cases } = await client.ask({ path: '/api/v1/Dispute?pageSize=100', token: party })
  const open = cases.find(({ status }) => status === 'OPEN')
  if (open === undefined) throw new Error('no case is open')
  return open.id
}

await bench()
