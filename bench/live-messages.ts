import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import type { CaseEvent } from '#lib/disputes/live/case-stream.ts'
import type { ThreadMessage } from '#lib/disputes/thread/thread.ts'
import type { StreamEvent } from '#lib/stream/stream-event.ts'
import type { Figures } from './aims.ts'
import type { Client } from './client.ts'
import { wallClockOffset } from './clock.ts'
import { listenBare } from './hub-client.ts'
import { median, quantile } from './measure.ts'
import type { Operator } from './operator.ts'
import { print, printRow } from './print.ts'

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
  /** The person of the page, in a session of their own. */
  readonly operator: Operator
  readonly caseId: string
  /** The party who writes. */
  readonly writer: string
  /** Of the bare client: the person of the page. */
  readonly listener: string
}

/** A party writes; a bare client and the workbench of the same person hear of it. Prints both, beside each other. */
export async function measureMessages(posting: Posting): Promise<Figures> {
  const { client, serviceUrl, page, operator, caseId, writer, listener } = posting
  await page.goto(`/disputes/${caseId}`)
  await page.getByText('Live', { exact: true }).waitFor()
  await page.getByText('Catching up', { exact: true }).waitFor({ state: 'hidden' })
  await page.evaluate(recordMessages)
  const heard = new Map<string, number>()
  const stop = await listenBare(serviceUrl, listener, caseId, (body) => heard.set(body, performance.now()))
  const streamed = new Map<string, number>()
  const close = await operator.follow([`thread ${caseId}`], isLive, (event) => {
    const now = performance.now()
    for (const { body } of messagesIn(event)) if (!streamed.has(body)) streamed.set(body, now)
  })
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
  close()
  await stop()

  const rows = [...sent].slice(WARM_UP).map(([text, at]) => {
    const [bare, stream, shown] = [heard.get(text), streamed.get(text), seen[text]]
    if (bare === undefined || stream === undefined || shown === undefined) throw new Error(`${text} did not come`)
    return { bare: bare - at, stream: stream - at, shown: shown + apart - at, own: shown + apart - bare }
  })
  const bare = rows.map((row) => row.bare)
  print('')
  printCells(`${MESSAGES} messages, from the moment the party’s POST is sent`, ['median', 'p99', 'ratio', 'p99 ratio'])
  printTimes('a bare @microsoft/signalr client has the event', bare, bare)
  printTimes('the console’s stream has it, read without a page', valuesOf(rows, 'stream'), bare)
  printTimes('the text is in the workbench’s thread, in Chromium', valuesOf(rows, 'shown'), bare)
  const own = valuesOf(rows, 'own')
  const [textMedian, textP99] = [median(own), quantile(own, 0.99)]
  printCells('from the bare client’s event to that text', [shownMs(textMedian), shownMs(textP99)])
  return { textMedian, textP99 }
}

const caseEventIn = (event: StreamEvent): CaseEvent | null =>
  event.type === 'topic' && event.result.ok ? (event.result.value as CaseEvent) : null

/** The hub tells of the case, and all that was posted before is known. */
export function isLive(event: StreamEvent): boolean {
  const found = caseEventIn(event)
  return found?.type === 'status' && found.status.state === 'live'
}

function messagesIn(event: StreamEvent): readonly ThreadMessage[] {
  const found = caseEventIn(event)
  return found?.type === 'messages' ? found.messages : []
}

interface Row {
  readonly bare: number
  readonly stream: number
  readonly shown: number
  readonly own: number
}

const valuesOf = (rows: readonly Row[], name: keyof Row): readonly number[] => rows.map((row) => row[name])

const shownMs = (ms: number): string => `${ms.toFixed(1)} ms`

/** With the ratio to the bare client. */
function printTimes(name: string, times: readonly number[], bare: readonly number[]): void {
  const pairs = [0.5, 0.99].map((share) => [quantile(times, share), quantile(bare, share)] as const)
  printCells(name, [...pairs.map(([ms]) => shownMs(ms)), ...pairs.map(([ms, other]) => (ms / other).toFixed(2))])
}

const printCells = (name: string, cells: readonly string[]): void => printRow([name, ...cells], [58, 11])

/** Runs in the page. */
function recordMessages(): void {
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
