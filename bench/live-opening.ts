import type { Page } from '@playwright/test'
import type { Client } from './client.ts'
import { median, quantile, timesOf } from './measure.ts'
import type { Operator } from './operator.ts'
import { print, printRow } from './print.ts'

const TIMES = 20
const MESSAGES = 120
const PAGE_SIZE = 100

declare global {
  interface Window {
    /** Milliseconds from the navigation's start until the last message was in the thread. */
    benchOpened?: number
  }
}

interface Thread {
  readonly caseId: string
  /** Of its last message. */
  readonly lastBody: string
}

export interface Opening {
  readonly client: Client
  readonly operator: Operator
  readonly page: Page
  /** A party of the case. */
  readonly party: string
  readonly thread: Thread
}

/** Opens the seeded case with 120 messages, at the service, at the console and in a browser. */
export async function measureOpening(opening: Opening): Promise<void> {
  const { client, operator, page, party, thread } = opening
  const { caseId, lastBody } = thread
  const path = `/disputes/${caseId}`
  const service = await timesOf(TIMES, () => readAtService(client, party, caseId))
  const server = await timesOf(TIMES, () => operator.ask(path))
  await page.addInitScript(noteOpened, lastBody)
  const opened: number[] = []
  for (let n = 0; n < TIMES; n += 1) {
    await page.goto(path, { waitUntil: 'commit' })
    await page.waitForFunction(() => window.benchOpened !== undefined)
    opened.push((await page.evaluate(() => window.benchOpened)) ?? 0)
    // Leaving ends what the page has open.
    await page.goto('about:blank')
  }
  print('')
  const widths = [56, 10]
  printRow([`to open a case with ${MESSAGES} messages`, 'median', 'p95', 'ratio'], widths)
  const row = (name: string, middle: number, slow: number): void =>
    printRow([name, `${middle.toFixed(1)} ms`, `${slow.toFixed(1)} ms`, (middle / service.median).toFixed(2)], widths)
  row('the case and its thread, read at the service alone', service.median, service.slow)
  row('the page’s whole answer', server.median, server.slow)
  row('in Chromium, until the last message is on the page', median(opened), quantile(opened, 0.95))
}

/** The open case with the longest thread, as the aim has it. */
export async function longThread(client: Client, token: string): Promise<Thread> {
  const { cases } = await client.ask({ path: `/api/v1/Dispute?pageSize=${PAGE_SIZE}`, token })
  for (const { id: caseId, status } of cases) {
    if (status !== 'OPEN') continue
    const messages = await readAtService(client, token, caseId)
    const last = messages.toSorted((one, other) => (one.createdAt < other.createdAt ? -1 : 1)).at(-1)
    if (messages.length === MESSAGES && last !== undefined) return { caseId, lastBody: last.body }
  }
  throw new Error(`no open case has ${MESSAGES} messages`)
}

/** The case, and its thread page by page. */
async function readAtService(client: Client, token: string, caseId: string) {
  const path = `/api/v1/Dispute/${caseId}`
  await client.ask({ path, token })
  for (let found: Awaited<ReturnType<Client['ask']>>['messages'] = [], page = 1; ; page += 1) {
    const { messages, totalCount } = await client.ask({
      path: `${path}/messages?pageSize=${PAGE_SIZE}&page=${page}`,
      token,
    })
    found = [...found, ...messages]
    if (messages.length === 0 || found.length >= totalCount) return found
  }
}

/** Runs in the page before anything of its own. */
function noteOpened(lastBody: string): void {
  const observer = new MutationObserver(() => {
    const last = document.querySelector('section[aria-label="Thread"] ol > li:last-child')
    if (last === null || !last.checkVisibility() || last.textContent?.includes(lastBody) !== true) return
    window.benchOpened = performance.now()
    observer.disconnect()
  })
  observer.observe(document, { childList: true, subtree: true, attributes: true, characterData: true })
}
