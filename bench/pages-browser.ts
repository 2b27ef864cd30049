import { EventEmitter, once } from 'node:events'
import type { BrowserContext, Page, Request } from '@playwright/test'
import type { Figures } from './aims.ts'
import { launchBrowser, newContext, signedInPage } from './browser.ts'
import { median } from './measure.ts'
import { HISTORY, QUEUE } from './measured-pages.ts'
import { print } from './print.ts'

const TIMES = 9
const SLOWER = 4
const ROW_WITHIN_MS = 30_000

declare global {
  interface Window {
    /** Milliseconds from the navigation's start until a row with data could be seen. */
    benchRow?: number
    /** Milliseconds for which one task after another kept the page from answering, each beyond its first 50. */
    benchBlocked?: number
  }
}

interface Opened {
  readonly row: number
  readonly blocked: number
  readonly fetches: readonly string[]
}

/** Pages in Chromium with the processor slowed: their first row, how long they block, what they fetch; and the script that comes with them. */
export async function measureBrowser(url: string): Promise<Figures> {
  await using browser = await launchBrowser()
  const signInScript = await scriptOf(await newContext(browser, url), '/sign-in')
  const first = await signedInPage(browser, url)
  const context = first.context()
  await first.close()
  const queueScript = await scriptOf(context, QUEUE)
  const history = await opening(context, HISTORY, 'tr a[href^="/transactions/"]')
  const queue = await opening(context, QUEUE, 'tr a[href^="/disputes/"]')
  return {
    ...{ signInScript, queueScript },
    ...{ historyRow: history.row, historyBlocked: history.blocked, historyFetches: history.fetches },
    ...{ queueRow: queue.row, queueBlocked: queue.blocked, queueFetches: queue.fetches },
    ...(await caseDesk(context)),
    ...(await tablesAndSearch(context)),
  }
}

/** Of the files that the document names, in kB (1,000 bytes): compressed, with the headers of each answer, as on a first visit. */
async function scriptOf(context: BrowserContext, path: string): Promise<number> {
  const page = await context.newPage()
  const client = await context.newCDPSession(page)
  await client.send('Network.enable')
  await client.send('Network.setCacheDisabled', { cacheDisabled: true })
  const traffic = trafficOf(page)
  const sizes: Promise<{ readonly path: string; readonly bytes: number }>[] = []
  page.on('requestfinished', (request) => {
    if (request.resourceType() !== 'script') return
    const { pathname } = new URL(request.url())
    sizes.push(
      request.sizes().then((size) => ({ path: pathname, bytes: size.responseBodySize + size.responseHeadersSize })),
    )
  })
  const response = await page.goto(path)
  const html = (await response?.text()) ?? ''
  await untilQuiet(page, traffic)
  const all = await Promise.all(sizes)
  await page.close()
  const named = all.filter((one) => html.includes(`src="${one.path}`))
  const kilobytes = (files: typeof all) => files.reduce((sum, { bytes }) => sum + bytes, 0) / 1000
  const read = `${all.length} files of ${kilobytes(all).toFixed(0)} kB with what is read ahead when idle`
  print(`script of ${path}: ${named.length} files; ${read}`)
  return kilobytes(named)
}

async function opening(context: BrowserContext, path: string, row: string) {
  const opened: Opened[] = []
  // The first fills the browser's cache and does not count.
  for (let n = 0; n <= TIMES; n += 1) opened.push(await openOnce(context, path, row))
  const counted = opened.slice(1)
  const fetches = counted.at(-1)?.fetches ?? []
  const rows = counted.map((one) => one.row.toFixed(0)).join(' ')
  print(`${path}: first row after ${rows} ms; fetches: ${fetches.join(', ') || 'none'}`)
  return {
    row: median(counted.map((one) => one.row)),
    blocked: median(counted.map((one) => one.blocked)),
    fetches: median(counted.map((one) => one.fetches.length)),
  }
}

/** In a tab of its own, with what the browser has cached. */
async function openOnce(context: BrowserContext, path: string, row: string): Promise<Opened> {
  const page = await context.newPage()
  const client = await context.newCDPSession(page)
  await client.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  const fetches = fetchesOf(page)
  await page.addInitScript(noteRowAndBlocking, row)
  const followed = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/stream')
  // Nothing is asked of the page before it has loaded: Playwright would then run its own large script amid the load.
  await page.goto(path, { waitUntil: 'load' })
  // The last that a page does by itself.
  await followed
  await page.evaluate(whenIdle)
  await page.waitForFunction(() => window.benchRow !== undefined, null, { timeout: ROW_WITHIN_MS })
  const { row: seen, blocked } = await page.evaluate(() => ({ row: window.benchRow, blocked: window.benchBlocked }))
  await page.close()
  return { row: seen ?? 0, blocked: blocked ?? 0, fetches }
}

/** What the page's scripts ask for, but for the session, news and pages read ahead. */
function fetchesOf(page: Page): readonly string[] {
  const fetched: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    const isOwn = pathname.startsWith('/api/session/') || pathname.startsWith('/api/stream')
    const isAhead = request.headers().rsc === '1' && pathname !== new URL(page.url()).pathname
    if (!isOwn && !isAhead && ['fetch', 'xhr', 'eventsource'].includes(request.resourceType())) fetched.push(pathname)
  })
  return fetched
}

/** Runs in the page before anything of its own. */
function noteRowAndBlocking(row: string): void {
  window.benchBlocked = 0
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.benchBlocked = (window.benchBlocked ?? 0) + duration - 50
  }).observe({ type: 'longtask', buffered: true })
  const observer = new MutationObserver(() => {
    if (document.querySelector(row)?.checkVisibility() !== true) return
    window.benchRow = performance.now()
    observer.disconnect()
  })
  observer.observe(document, { childList: true, subtree: true, attributes: true })
}

const ANSWER_WITHIN_MS = 30_000

interface Traffic {
  readonly running: ReadonlySet<Request>
  /** Pages that the router has read whole. */
  readonly pages: ReadonlySet<string>
  /** Emits `end` once a request has ended, and then the path of a page that was read. */
  readonly news: EventEmitter
}

/** But for the page's event stream, which never ends. */
function trafficOf(page: Page): Traffic {
  const [running, pages, news] = [new Set<Request>(), new Set<string>(), new EventEmitter()]
  page.on('request', (request) => {
    if (new URL(request.url()).pathname !== '/api/stream') running.add(request)
  })
  const onEnd = (request: Request) => {
    running.delete(request)
    news.emit('end')
    const headers = request.headers()
    if (headers.rsc !== '1' || headers['next-router-prefetch'] !== undefined) return
    const { pathname } = new URL(request.url())
    pages.add(pathname)
    news.emit(pathname)
  }
  page.on('requestfinished', onEnd)
  // The router stops reading after the last row. Chromium then reports the request as aborted.
  page.on('requestfailed', onEnd)
  return { running, pages, news }
}

const arrival = (news: EventEmitter, name: string) =>
  once(news, name, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })

/** Runs in the page. One without a frame to draw may never be idle. */
const whenIdle = () => new Promise<void>((done) => requestIdleCallback(() => done(), { timeout: 1_000 }))

/** Until the page has nothing left to do, as when a person has read it. */
async function untilQuiet(page: Page, { running, news }: Traffic): Promise<void> {
  do {
    while (running.size > 0) await arrival(news, 'end')
    await page.evaluate(whenIdle)
  } while (running.size > 0)
}

/** What a person takes at least for a case. Meanwhile the page reads the cases beside it ahead. */
const READING_MS = 3_500

async function untilReadAhead(page: Page, link: string, traffic: Traffic): Promise<void> {
  const path = await page
    .locator(link)
    .first()
    .evaluate((shown: HTMLAnchorElement) => shown.pathname)
  if (!traffic.pages.has(path)) await arrival(traffic.news, path)
  await page.waitForTimeout(READING_MS)
}

interface Step {
  readonly ms: number
  readonly blocked: number
}

/** Clicks a link once the page is idle and waits, frame by frame, for another element that matches `sign`. */
async function follow(page: Page, link: string, sign: string): Promise<Step> {
  return await page.evaluate(
    async ([from, to]) => {
      await new Promise<void>((done) => requestIdleCallback(() => done()))
      const shown = () => [...document.querySelectorAll(to)].findLast((one) => one.checkVisibility())
      const [before, began, blockedBefore] = [shown(), performance.now(), window.benchBlocked ?? 0]
      document.querySelector<HTMLElement>(from)?.click()
      while (shown() === undefined || shown() === before) await new Promise((done) => requestAnimationFrame(done))
      const ms = performance.now() - began
      await new Promise<void>((done) => requestIdleCallback(() => done()))
      return { ms, blocked: (window.benchBlocked ?? 0) - blockedBefore }
    },
    [link, sign] as const,
  )
}

const FIRST_CASE = 'tbody a[href^="/disputes/"]'
const NEXT_CASE = 'a[aria-keyshortcuts="]"]'
/** By an id: a search of the whole document in each frame would count as work of the page. */
const LAST_MESSAGE = '#thread [data-message]'

/** On a shared machine, single navigations take twice as long. */
const NAVIGATIONS = 15

/** From case to case and from the queue to a case, each beside the way to a plain page in the same round. */
async function caseDesk(context: BrowserContext): Promise<Figures> {
  const figures: Record<string, number> = {}
  for (const slower of [1, SLOWER]) {
    const page = await context.newPage()
    const client = await context.newCDPSession(page)
    await page.addInitScript(noteRowAndBlocking, 'tr a[href^="/disputes/"]')
    const rounds: { readonly plain: Step; readonly first: Step; readonly next: Step }[] = []
    const traffic = trafficOf(page)
    await page.goto(QUEUE)
    await client.send('Emulation.setCPUThrottlingRate', { rate: slower })
    for (let n = 0; n <= NAVIGATIONS; n += 1) {
      await untilReadAhead(page, FIRST_CASE, traffic)
      const first = await follow(page, FIRST_CASE, LAST_MESSAGE)
      await untilReadAhead(page, NEXT_CASE, traffic)
      const next = await follow(page, NEXT_CASE, LAST_MESSAGE)
      await untilReadAhead(page, NEXT_CASE, traffic)
      const plain = await follow(page, 'nav a[href="/security"]', 'main h1')
      await follow(page, 'nav a[href="/disputes"]', FIRST_CASE)
      if (n > 0) rounds.push({ plain, first, next })
    }
    await page.close()
    const of = (step: 'plain' | 'first' | 'next', what: keyof Step) => median(rounds.map((one) => one[step][what]))
    const told = (['plain', 'first', 'next'] as const).map((step) => `${step} ${of(step, 'ms').toFixed(0)} ms`)
    print(`slowed ${slower} times: ${told.join(', ')}; a next case blocks for ${of('next', 'blocked').toFixed(0)} ms`)
    const suffix = slower === 1 ? '' : 'Slowed'
    figures[`nextCase${suffix}`] = of('next', 'ms') / of('plain', 'ms')
    figures[`firstCase${suffix}`] = of('first', 'ms') / of('plain', 'ms')
    if (slower === 1) figures.nextCaseBlocked = of('next', 'blocked')
  }
  return figures
}

const FRAME_MS = 100
const ROWS = 'tbody tr a:first-of-type'

/** Clicks, and waits frame by frame until the elements that match `sign` have another text than before. */
async function changed(page: Page, traffic: Traffic, [button, sign]: readonly [string, string]): Promise<number> {
  await untilQuiet(page, traffic)
  return await page.evaluate(
    async ([from, to]) => {
      const text = () => [...document.querySelectorAll(to)].map(({ textContent }) => textContent).join()
      const [before, began] = [text(), performance.now()]
      document.querySelector<HTMLElement>(from)?.click()
      while (text() === before) await new Promise((done) => requestAnimationFrame(done))
      return performance.now() - began
    },
    [button, sign] as const,
  )
}

/** The search, another page of a history, a filter and another list of the queue. */
async function tablesAndSearch(context: BrowserContext): Promise<Figures> {
  const page = await context.newPage()
  const traffic = trafficOf(page)
  const rounds: { readonly search: number; readonly page: number; readonly filter: number; readonly list: number }[] =
    []
  for (let n = 0; n <= TIMES; n += 1) {
    await page.goto(QUEUE)
    const filter = await changed(page, traffic, ['nav[aria-label="Cases by turn"] a:nth-of-type(3)', ROWS])
    const list = await changed(page, traffic, ['nav[aria-label="Cases by status"] a:nth-of-type(2)', ROWS])
    await page.goto(HISTORY)
    const next = await changed(page, traffic, ['a[aria-label="Next page"]', ROWS])
    const search = await changed(page, traffic, ['[aria-keyshortcuts="Control+K Meta+K /"]', '[role="dialog"]'])
    if (n > 0) rounds.push({ search, page: next, filter, list })
  }
  await page.close()
  const of = (what: keyof (typeof rounds)[number]) => median(rounds.map((one) => one[what]))
  return { search: of('search') / FRAME_MS, nextPage: of('page'), filter: of('filter'), otherList: of('list') }
}
