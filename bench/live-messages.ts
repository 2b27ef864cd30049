import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import type { Client } from './client.ts'
import { wallClockOffset } from './clock.ts'
import { listenBare } from './hub-client.ts'
import { median, quantile } from './measure.ts'
import { print } from './print.ts'

const WARM_UP = 20
const MESSAGES = 200
const PAUSE_MS = 100
const WITHIN_MS = 10_000

declare global {
  interface Window {
    /** When each of the bench's messages came into the thread, on the page's own clock. */
    benchSeen?: Record<string, number>
  }
}

export interface Posting {
  readonly client: Client
  readonly serviceUrl: string
  readonly page: Page
  readonly caseId: string
  /** The party who writes. */
  readonly writer: string
  /** Whoever listens barely: the person of the page. */
  readonly listener: string
}

/** A party writes; a bare client and the workbench of the same person hear of it. Prints both, beside each other. */
export async function measureMessages(posting: Posting): Promise<void> {
  const { client, serviceUrl, page, caseId, writer, listener } = posting
  await page.goto(`/disputes/${caseId}`)
  await page.getByText('Live', { exact: true }).waitFor()
  await page.evaluate(noteMessages)
  const heard = new Map<string, number>()
  const stop = await listenBare(serviceUrl, listener, caseId, (body) => heard.set(body, performance.now()))
  const sent = new Map<string, number>()
  const body = (n: number): string => `Bench message ${n}.`
  for (let n = 0; n < WARM_UP + MESSAGES; n += 1) {
    sent.set(body(n), performance.now())
    await client.ask({
      method: 'POST',
      path: `/api/v1/Dispute/${caseId}/messages`,
      token: writer,
      body: { body: body(n) },
    })
    await wait(PAUSE_MS)
  }
  const count = sent.size
  await page.waitForFunction((all) => Object.keys(window.benchSeen ?? {}).length === all, count, { timeout: WITHIN_MS })
  const seen = (await page.evaluate(() => window.benchSeen)) ?? {}
  const apart = (await page.evaluate(wallClockOffset)) - wallClockOffset()
  await stop()

  const rows = [...sent].slice(WARM_UP).map(([text, at]) => {
    const [bare, shown] = [heard.get(text), seen[text]]
    if (bare === undefined || shown === undefined) throw new Error(`${text} did not come`)
    return { bare: bare - at, shown: shown + apart - at, own: shown + apart - bare }
  })
  const bare = rows.map((row) => row.bare)
  const shown = rows.map((row) => row.shown)
  print('')
  print(`${MESSAGES} messages, from the moment the party’s POST is sent        median       p99`)
  printTimes('a bare @microsoft/signalr client has the event', bare)
  printTimes('the text is in the workbench’s thread, in Chromium', shown)
  printTimes(
    'the one after the other: the hub’s event to text',
    rows.map((row) => row.own),
  )
  const ratios = [median(shown) / median(bare), quantile(shown, 0.99) / quantile(bare, 0.99)]
  print(
    `${'ratio of the second to the first'.padEnd(56)}${ratios.map((ratio) => ratio.toFixed(2).padStart(10)).join('')}`,
  )
}

function printTimes(name: string, times: readonly number[]): void {
  const shown = [median(times), quantile(times, 0.99)].map((ms) => `${ms.toFixed(1)} ms`.padStart(10))
  print(name.padEnd(56) + shown.join(''))
}

/** Runs in the page. */
function noteMessages(): void {
  const seen: Record<string, number> = {}
  window.benchSeen = seen
  const thread = document.querySelector('section[aria-label="Thread"]')
  if (thread === null) throw new Error('the page has no thread')
  new MutationObserver((changes) => {
    const now = performance.now()
    for (const { addedNodes } of changes) {
      for (const added of addedNodes) {
        for (const [text] of (added.textContent ?? '').matchAll(/Bench message \d+\./g)) seen[text] ??= now
      }
    }
  }).observe(thread, { childList: true, subtree: true })
}
