import type { BrowserContext, Page, Response } from '@playwright/test'

/** One thing that the browser received or holds, with a name to report it by. */
export interface Received {
  readonly what: string
  readonly text: string
}

/** Collects whatever arrives at a page: documents, payloads, scripts, headers; answers how to get it, read to its end. */
export function collectReceived(page: Page): () => Promise<readonly Received[]> {
  const received: Received[] = []
  const readings: Promise<void>[] = []
  const read = async (response: Response): Promise<void> => {
    const headers: Record<string, string> = await response.allHeaders().catch(() => ({}))
    const readable = Object.entries(headers).filter(([name]) => name !== 'set-cookie')
    received.push({ what: `headers of ${response.url()}`, text: JSON.stringify(readable) })
    received.push({ what: 'address', text: response.url() })
    // A stream has no end to wait for; tests read its events themselves.
    if (headers['content-type']?.startsWith('text/event-stream')) return
    const body = await response.body().catch(() => null)
    if (body !== null) received.push({ what: `body of ${response.url()}`, text: body.toString('latin1') })
  }
  page.on('response', (response) => void readings.push(read(response)))
  return async () => {
    await Promise.all(readings)
    return received
  }
}

/** What scripts of the page can read: cookies, storage, the document itself, and next-auth's session. */
export async function readablePlaces(page: Page): Promise<readonly Received[]> {
  const places = await page.evaluate(async () => {
    const databases = await indexedDB.databases()
    const caches_ = await caches.keys()
    return {
      'document.cookie': document.cookie,
      localStorage: JSON.stringify({ ...localStorage }),
      sessionStorage: JSON.stringify({ ...sessionStorage }),
      'the document': document.documentElement.outerHTML,
      'window.name and history': JSON.stringify([window.name, history.state]),
      'indexed databases': JSON.stringify(databases),
      caches: JSON.stringify(caches_),
      '/api/auth/session': await (await fetch('/api/auth/session')).text(),
    }
  })
  return Object.entries(places).map(([what, text]) => ({ what, text }))
}

/** The handle, which the browser holds but no script can read. */
export async function handleOf(context: BrowserContext): Promise<string> {
  const cookie = (await context.cookies()).find(({ name }) => name === '__Host-console.sid')
  if (cookie === undefined) throw new Error('there is no handle')
  if (!cookie.httpOnly || !cookie.secure || cookie.sameSite !== 'Strict') throw new Error('the handle is not guarded')
  return cookie.value
}

/** Any signed token looks like this, whoever made it. */
const JWT = /eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}/

/** Every spelling in which a secret might travel. */
function spellings(secret: string): readonly string[] {
  const bytes = Buffer.from(secret)
  const base64 = bytes.toString('base64').replace(/=+$/, '')
  return [secret, encodeURIComponent(secret), base64, bytes.toString('base64url'), bytes.toString('hex')]
}

/** Where secrets are to be found, one line each; empty when nowhere. */
export function findSecrets(places: readonly Received[], secrets: Iterable<string>): readonly string[] {
  const wanted = [...secrets].flatMap(spellings)
  return places.flatMap(({ what, text }) => {
    const hit = wanted.some((secret) => text.includes(secret)) || JWT.test(text)
    return hit ? [what] : []
  })
}
