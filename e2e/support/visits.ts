import type { Page } from '@playwright/test'

export interface Visits {
  /** Opens a page as on a first visit, and answers when it has settled: when nothing comes any more, unless told otherwise. */
  open(path: string, settled?: () => Promise<void>): Promise<void>
  /** How many kB (1,000 bytes) of JavaScript came with it: compressed, and with the headers of each answer. */
  scriptKb(): Promise<number>
  /** What its scripts asked for, which a page does not need for its first content. */
  asked(): readonly string[]
}

/** A page asks again whether its session lasts; that fills nothing in. */
const SESSION_STATE = '/api/session/state'

export async function watchVisits(page: Page): Promise<Visits> {
  const client = await page.context().newCDPSession(page)
  await client.send('Network.enable')
  await client.send('Network.setCacheDisabled', { cacheDisabled: true })
  let sizes: Promise<number>[] = []
  let asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (['fetch', 'xhr', 'eventsource'].includes(request.resourceType()) && pathname !== SESSION_STATE) {
      asked.push(`${request.method()} ${pathname}`)
    }
  })
  page.on('requestfinished', (request) => {
    if (request.resourceType() === 'script') {
      sizes.push(request.sizes().then((size) => size.responseBodySize + size.responseHeadersSize))
    }
  })
  return {
    async open(path, settled = () => page.waitForLoadState('networkidle')) {
      await page.waitForLoadState('networkidle')
      sizes = []
      asked = []
      await page.goto(path)
      await settled()
    },
    async scriptKb() {
      return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) / 1_000
    },
    asked: () => asked,
  }
}
