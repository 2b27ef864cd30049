import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { parseAndValidateFlightRouterState } from 'next/dist/server/app-render/parse-and-validate-flight-router-state.js'
import { problemOf } from '#lib/contract/problem-of.ts'
import { signedInActor } from '#lib/http/http-server.ts'

/** Next fails with an error on any other method. */
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'

const BODY_MAX_BYTES = 64 * 1024
/** By path, for signed-in operators only: a statement of up to 5 MB plus the form's overhead. */
const LARGE_BODIES: ReadonlyMap<string, number> = new Map([['/api/deposits/statements', 6 * 1024 * 1024]])
/** Next buffers whole bodies in memory. */
const LARGE_AT_ONCE = 4
const AGAIN_SECONDS = 5
/** Closing the connection while the client still sends would lose the answer. */
const LINGER_MS = 2_000

interface Refusal {
  readonly kind?: Parameters<typeof problemOf>[0]
  readonly status: number
  readonly title: string
  readonly headers?: Readonly<Record<string, string>>
}

const BROKEN = { status: 400, title: 'Not a request that a browser makes.' } as const
const NO_METHOD = { status: 405, title: 'Method not allowed.', headers: { allow: METHODS } } as const
const TOO_LARGE = { status: 413, title: 'This request is too large.' } as const
const SIGNED_OUT = { kind: 'session-over', status: 401, title: 'Your session has ended.' } as const
const STORE_OUT = { kind: 'console', status: 503, title: 'The console cannot check your session right now.' } as const
const BUSY = {
  kind: 'console',
  status: 503,
  title: 'Too many uploads right now. Try again in a moment.',
  headers: { 'retry-after': String(AGAIN_SECONDS) },
} as const
const OWN_BUSY = {
  status: 429,
  title: 'Your other file is still being sent or read. Choose this one again when it is done.',
  headers: BUSY.headers,
} as const

export type Gate = (request: IncomingMessage, response: ServerResponse, answer: () => void) => void

/** Checks the head, because Next buffers every body. Closes the connection of a chunked body that is too large. */
export function requestGate(server: Server): Gate {
  const sending = new Set<string>()
  return (request, response, answer) => {
    const path = (request.url ?? '').split('?', 1)[0] ?? ''
    const largest = LARGE_BODIES.get(path) ?? BODY_MAX_BYTES
    const length = announcedLength(request)
    const refusal = refusalByHead(request) ?? (length !== null && length > largest ? TOO_LARGE : null)
    if (refusal !== null) return refuse(request, response, refusal)
    const pass = () => {
      if (length === null) boundBody(server, request, largest)
      answer()
    }
    if (largest === BODY_MAX_BYTES || (length !== null && length <= BODY_MAX_BYTES)) return pass()
    void actorOrRefusal(request).then((actor) => {
      if (response.destroyed) return
      if (typeof actor !== 'string') return refuse(request, response, actor)
      if (sending.has(actor)) return refuse(request, response, OWN_BUSY)
      if (sending.size >= LARGE_AT_ONCE) return refuse(request, response, BUSY)
      sending.add(actor)
      response.once('close', () => sending.delete(actor))
      pass()
    })
  }
}

/** Null for a chunked body. */
function announcedLength({ headers }: IncomingMessage): number | null {
  if (headers['content-length'] !== undefined) return Number(headers['content-length'])
  return headers['transfer-encoding'] === undefined ? 0 : null
}

function refusalByHead({ method = '', url = '', headers, rawHeaders }: IncomingMessage): Refusal | null {
  if (!METHODS.split(', ').includes(method)) return NO_METHOD
  // With an absolute URL, an attacker could choose where redirects lead.
  if (!url.startsWith('/')) return BROKEN
  // Node uses the first Host header; a proxy may have checked another.
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host')
  return hosts.length > 1 || !isRouterState(headers['next-router-state-tree']) ? BROKEN : null
}

/** Next answers 500 to an unreadable header and logs two lines. */
function isRouterState(header: string | string[] | undefined): boolean {
  try {
    parseAndValidateFlightRouterState(header)
    return true
  } catch {
    return false
  }
}

async function actorOrRefusal({ headers }: IncomingMessage): Promise<string | Refusal> {
  try {
    return (await signedInActor(headers.cookie ?? '')) ?? SIGNED_OUT
  } catch {
    return STORE_OUT
  }
}

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  { kind = 'service', status, title, headers }: Refusal,
): void {
  const { socket } = request
  // Node calls this after the answer and discards incoming data until then.
  socket.destroySoon = () => {
    socket.end()
    setTimeout(() => socket.destroy(), LINGER_MS).unref()
  }
  const problem = problemOf(kind, { status, title })
  const body = JSON.stringify({ ok: false, fields: {}, problem })
  response.writeHead(status, { ...headers, 'content-type': 'application/json; charset=utf-8', connection: 'close' })
  response.end(request.method === 'HEAD' ? undefined : body)
}

/** A data listener would take the body away from Next. */
function boundBody(server: Server, request: IncomingMessage, maxBytes: number): void {
  let bytes = request.readableLength
  const push = request.push
  request.push = (part: Buffer | null, encoding) => {
    bytes += part?.length ?? 0
    if (bytes <= maxBytes) return push.call(request, part, encoding)
    request.push = () => false
    const tooLarge: NodeJS.ErrnoException = new Error('the body is larger than its path allows')
    tooLarge.code = 'ERR_BODY_TOO_LARGE'
    server.emit('clientError', tooLarge, request.socket)
    return false
  }
}
