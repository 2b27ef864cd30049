import http, { type IncomingHttpHeaders } from 'node:http'
import { type APIRequest, expect } from '@playwright/test'
import { openSession } from '../support/sign-in.ts'

export interface Sent {
  readonly method?: string
  /** As it stands: nothing on this side takes steps out of it or encodes it. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly setCookies: readonly string[]
  readonly text: string
}

/** Streams have no end: so much of one is read. */
const STREAM_MS = 300

/** One request, as it stands, on a connection of its own. */
export function ask(url: string, { method = 'GET', path, headers = {}, body }: Sent): Promise<Answer> {
  const { hostname, port } = new URL(url)
  return new Promise((done, fail) => {
    // Of a DELETE node announces no body by itself.
    const announced = 'transfer-encoding' in headers
    const length: Record<string, string> =
      body === undefined || announced ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const sent = { ...headers, ...length }
    const request = http.request({ host: hostname, port, method, path, headers: sent, agent: false })
    request.on('error', fail)
    request.on('response', (response) => {
      const parts: Buffer[] = []
      const finish = (): void =>
        done({
          status: response.statusCode ?? 0,
          headers: response.headers,
          setCookies: response.headers['set-cookie'] ?? [],
          text: Buffer.concat(parts).toString('utf8'),
        })
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', finish)
      response.on('error', fail)
      if (!response.headers['content-type']?.startsWith('text/event-stream')) return
      setTimeout(() => {
        finish()
        request.destroy()
      }, STREAM_MS)
    })
    request.end(body)
  })
}

/** What a page of the console sends with everything it asks for. */
export const ownHeaders = (consoleUrl: string): Record<string, string> => ({
  'x-console': '1',
  'sec-fetch-site': 'same-origin',
  origin: consoleUrl,
})

export const JSON_BODY = { 'content-type': 'application/json' } as const
export const FORM_BODY = { 'content-type': 'application/x-www-form-urlencoded' } as const

export const HANDLE = '__Host-console.sid'
export const withHandle = (handle: string): Record<string, string> => ({ cookie: `${HANDLE}=${handle}` })

/** Somebody who is signed in, and what their pages send: `headers` for reads and changes alike. */
export interface SignedIn {
  readonly handle: string
  readonly headers: Record<string, string>
  get(path: string): Promise<Answer>
  send(method: string, path: string, body: unknown): Promise<Answer>
}

/** Signs somebody in by single sign-on, without a browser. */
export async function signInAs(request: APIRequest, consoleUrl: string, email: string): Promise<SignedIn> {
  const context = await request.newContext({ baseURL: consoleUrl })
  await openSession(context, email)
  const { cookies } = await context.storageState()
  await context.dispose()
  const handle = cookies.find(({ name }) => name === HANDLE)?.value ?? ''
  expect(handle).toMatch(/^[\w-]{86}$/)
  return signedInAt(consoleUrl, handle)
}

/** Somebody with this handle, at a console that has their session in its store. */
export function signedInAt(consoleUrl: string, handle: string): SignedIn {
  const headers = { ...ownHeaders(consoleUrl), ...withHandle(handle) }
  return {
    handle,
    headers,
    get: (path) => ask(consoleUrl, { path, headers }),
    send: (method, path, body) =>
      ask(consoleUrl, { method, path, headers: { ...headers, ...JSON_BODY }, body: JSON.stringify(body) }),
  }
}

const BOUNDARY = `----${'x'.repeat(30)}`

/** Imports a bank's file: reads its preview and confirms it. Answers the statement's id. */
export async function importFile(
  consoleUrl: string,
  by: SignedIn,
  { name, content }: { readonly name: string; readonly content: string },
): Promise<string> {
  const fileName = name.replaceAll('"', '%22')
  const file = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${fileName}"\r\nContent-Type: text/xml\r\n\r\n${content}\r\n`
  const hand = async (seal: string) => {
    const answer = await ask(consoleUrl, {
      method: 'POST',
      path: '/api/deposits/statements',
      headers: { ...by.headers, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
      body: `${file}${seal}--${BOUNDARY}--\r\n`,
    })
    const { imported } = JSON.parse(answer.text) as { imported?: { id?: string; preview?: { seal: string } } }
    expect(imported, answer.text).toBeDefined()
    return imported
  }
  const seal = (await hand(''))?.preview?.seal
  const sealed = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="seal"\r\n\r\n${seal}\r\n`
  const id = (await hand(sealed))?.id
  expect(id).toBeDefined()
  return id ?? ''
}

export async function isSignedIn(consoleUrl: string, handle: string): Promise<boolean> {
  const state = await ask(consoleUrl, {
    path: '/api/session/state',
    headers: { ...ownHeaders(consoleUrl), ...withHandle(handle) },
  })
  return (JSON.parse(state.text) as { readonly signedIn: boolean }).signedIn
}

/** The cookies of one browser, by name. */
export class CookieJar {
  readonly values = new Map<string, string>()

  take(answer: Answer): void {
    for (const line of answer.setCookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '' || /Max-Age=0/i.test(line)) this.values.delete(name)
      else this.values.set(name, value)
    }
  }

  without(...names: readonly string[]): CookieJar {
    const jar = new CookieJar()
    for (const [name, value] of this.values) if (!names.includes(name)) jar.values.set(name, value)
    return jar
  }

  get headers(): Record<string, string> {
    if (this.values.size === 0) return {}
    return { cookie: [...this.values].map(([name, value]) => `${name}=${value}`).join('; ') }
  }
}

const FIXED = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const

/** The headers that every answer has, and no cookie that would be kept. */
export function expectGuarded(answer: Answer, what: string): void {
  for (const [name, value] of Object.entries(FIXED)) expect(answer.headers[name], `${name} of ${what}`).toBe(value)
  expect(answer.headers['content-security-policy'], what).toContain("frame-ancestors 'none'")
  expect(answer.headers['cache-control'], what).toContain('no-store')
  for (const name of ['x-powered-by', 'server', 'access-control-allow-origin']) {
    expect(answer.headers[name], `${name} of ${what}`).toBeUndefined()
  }
}

export interface Logged {
  readonly sequence: number
  readonly method: string
  readonly path: string
}

/** What arrived at the service since `after`. */
export async function arrivedAfter(sandboxUrl: string, after: number): Promise<readonly Logged[]> {
  const answer = await fetch(`${sandboxUrl}/sandbox/requests?after=${after}`)
  return ((await answer.json()) as { readonly requests: readonly Logged[] }).requests
}

/** Of the request that arrived last. */
export const latestAt = async (sandboxUrl: string): Promise<number> =>
  (await arrivedAfter(sandboxUrl, 0)).at(-1)?.sequence ?? 0
