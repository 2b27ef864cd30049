import 'server-only'
import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import https from 'node:https'
import { perProcess } from '#lib/config/per-process.ts'

export interface Exchange {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly timeoutMs: number
  /** A change needs its own connection, so that "not sent" is certain. */
  readonly reuseConnection: boolean
}

export type Exchanged =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly headers: IncomingHttpHeaders
      readonly body: string
    }
  /** No byte left this machine. */
  | { readonly kind: 'not-sent'; readonly why: string }
  /** The request may have arrived. */
  | { readonly kind: 'lost'; readonly why: string }

const BODY_MAX_BYTES = 8 * 1024 * 1024
const CONNECT_TIMEOUT_MS = 5_000

const sharedAgents = () =>
  perProcess('agents', () => ({
    http: new http.Agent({ keepAlive: true, maxSockets: 64 }),
    https: new https.Agent({ keepAlive: true, maxSockets: 64 }),
  }))

/** Never throws, never repeats. */
export const exchange = (request: Exchange): Promise<Exchanged> =>
  exchangeOnce(request).catch((error: NodeJS.ErrnoException) => ({ kind: 'not-sent', why: error.code ?? 'error' }))

/** Rejects only for a request that Node refuses to begin. */
function exchangeOnce(request: Exchange): Promise<Exchanged> {
  const secure = request.url.protocol === 'https:'
  const shareable = request.reuseConnection ? sharedAgents() : null
  const agent = (secure ? shareable?.https : shareable?.http) ?? false
  return new Promise((done) => {
    // For TLS, connected means after the handshake.
    let connected = false
    const outgoing = (secure ? https : http).request(
      request.url,
      { method: request.method, headers: withLength(request), agent, setDefaultHeaders: true },
      (incoming) => {
        readBody(incoming).then(
          (body) => finish({ kind: 'answer', status: incoming.statusCode ?? 0, headers: incoming.headers, body }),
          (error: Error) => finish({ kind: 'lost', why: error.message }),
        )
      },
    )
    const deadline = setTimeout(() => fail('time-out'), request.timeoutMs)
    let connectDeadline: NodeJS.Timeout | undefined

    function finish(result: Exchanged): void {
      clearTimeout(deadline)
      clearTimeout(connectDeadline)
      done(result)
    }
    function fail(why: string): void {
      outgoing.destroy()
      finish(connected ? { kind: 'lost', why } : { kind: 'not-sent', why })
    }
    outgoing.on('socket', (socket) => {
      // A shared socket would keep a listener that never fires.
      if (!socket.connecting && !(secure && !outgoing.reusedSocket)) {
        connected = true
        return
      }
      connectDeadline = setTimeout(() => connected || fail('connect time-out'), CONNECT_TIMEOUT_MS)
      socket.once(secure ? 'secureConnect' : 'connect', () => {
        connected = true
      })
    })
    outgoing.on('error', (error: NodeJS.ErrnoException) => fail(error.code ?? 'error'))
    outgoing.end(request.body)
  })
}

function withLength(request: Exchange): Record<string, string> {
  if (request.body === undefined) return { ...request.headers }
  return { ...request.headers, 'content-length': String(Buffer.byteLength(request.body)) }
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of incoming) {
    size += (part as Buffer).length
    if (size > BODY_MAX_BYTES) throw new Error('the answer is too large')
    parts.push(part as Buffer)
  }
  if (!incoming.complete) throw new Error('the answer was cut off')
  return Buffer.concat(parts).toString('utf8')
}

/** Milliseconds. This machine's clock may be minutes off, so the service's is used if known. */
export const msAhead = (time: string, serviceTime: string | null): number =>
  Date.parse(time) - (serviceTime === null ? Date.now() : Date.parse(serviceTime))

export function retryAfter(headers: IncomingHttpHeaders): number | null {
  const value = headers['retry-after']
  if (value === undefined) return null
  if (/^\d{1,9}$/.test(value)) return Number(value)
  const at = Date.parse(value)
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil(msAhead(value, serviceTime(headers)) / 1000))
}

/** ISO 8601. Holds are measured by the service's clock. */
export function serviceTime(headers: IncomingHttpHeaders): string | null {
  const at = Date.parse(headers.date ?? '')
  return Number.isNaN(at) ? null : new Date(at).toISOString()
}
