import type { Page, Request } from '@playwright/test'

export interface Visits {
  /** Opens a page as on a first visit, and answers when it has settled: when nothing comes any more, unless told otherwise. */
  open(path: string, settled?: () => Promise<void>): Promise<void>
  /**
   * How many kB (1,000 bytes) of JavaScript came with it, compressed and with the headers of each answer; without what it
   * reads ahead.
   */
  scriptKb(): Promise<number>
  /** What its scripts asked for, which a page does not need for its first content. */
  requests(): readonly string[]
}

/** A page asks again whether its session lasts, and listens to what changes; that fills nothing in. */
const FILLS_NOTHING = /^\/api\/(?:session\/state|stream(?:\/.*)?)$/

/**
 * Waits until a page has loaded, its scripts are idle and have no timer that ends within half a second, and nothing is under
 * way but the event stream, which never ends.
 */
export function watchQuiet(page: Page): () => Promise<void> {
  const underWay = new Set<Request>()
  let seen = 0
  let wake = () => {}
  const ended = (request: Request) => {
    if (underWay.delete(request)) wake()
  }
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/stream') return
    underWay.add(request)
    seen += 1
  })
  page.on('requestfinished', ended)
  page.on('requestfailed', ended)
  return async () => {
    for (let before = -1; underWay.size > 0 || before !== seen; ) {
      before = seen
      if (underWay.size > 0) await new Promise<void>((done) => (wake = done))
      await page.waitForLoadState('load')
      // A page that is left meanwhile is looked at again.
      await page.evaluate(whenIdle).catch(() => (before = -1))
    }
  }
}

/** Runs in the page. Chromium can go without idle callbacks for good, but runs tasks of the lowest priority. */
async function whenIdle(): Promise<void> {
  await window.whenTimersEnd?.()
  for (let turn = 0; turn < 2; turn += 1) await scheduler.postTask(() => {}, { priority: 'background' })
}

export async function watchVisits(page: Page): Promise<Visits> {
  const client = await page.context().newCDPSession(page)
  await client.send('Network.enable')
  await client.send('Network.setCacheDisabled', { cacheDisabled: true })
  const quiet = watchQuiet(page)
  let sizes: Promise<number>[] = []
  let requests: string[] = []
  let visited = ''
  /** Whether the page reads another one ahead; scripts that come later are of that. */
  let isAhead = false
  const ofLater = new WeakSet<Request>()
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (request.headers().rsc === '1' && pathname !== visited) isAhead = true
    else if (isAhead) ofLater.add(request)
    else if (['fetch', 'xhr', 'eventsource'].includes(request.resourceType()) && !FILLS_NOTHING.test(pathname)) {
      requests.push(`${request.method()} ${pathname}`)
    }
  })
  page.on('requestfinished', (request) => {
    if (request.resourceType() === 'script' && !ofLater.has(request)) {
      const size = request.sizes().then((one) => one.responseBodySize + one.responseHeadersSize)
      // A page that is left or closed before its sizes are known fails no test that does not ask for them.
      size.catch(() => {})
      sizes.push(size)
    }
  })
  return {
    async open(path, settled = quiet) {
      await quiet()
      // The page before may read its dialogs ahead as it is left, which is no script of the next one.
      await page.goto('about:blank')
      sizes = []
      requests = []
      isAhead = false
      visited = new URL(path, 'http://console').pathname
      await page.goto(path)
      await settled()
    },
    async scriptKb() {
      return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) / 1_000
    },
    requests: () => requests,
  }
}
