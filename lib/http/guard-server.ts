import 'server-only'
import { subscribe } from 'node:diagnostics_channel'
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { clientNetwork } from './client-network.ts'

type Headers = Readonly<Record<string, string>>

interface Started {
  readonly server: Server
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

const FILES = '/_next/static/'
const KEPT_STATUS = new Set([200, 206, 304])
const ICONS = new Set(['/icon.svg', '/favicon.ico'])

/** The framework's redirects and errors bypass the console's headers. Only built files may be cached. */
export function guardAnswers(server: Server, headers: Headers): void {
  subscribe('http.server.request.start', (message) => {
    const started = message as Started
    if (started.server !== server) return
    const { request, response } = started
    const writeHead = response.writeHead
    response.writeHead = function complete(this: ServerResponse, ...given: unknown[]) {
      const stated = given.findLast((value) => typeof value === 'object' && value !== null && !Array.isArray(value))
      for (const [name, value] of Object.entries((stated ?? {}) as Headers)) this.setHeader(name, value)
      for (const [name, value] of Object.entries(headers)) if (!this.hasHeader(name)) this.setHeader(name, value)
      if (!mayBeKept(request.url ?? '', Number(given[0]))) forbidKeeping(this)
      return Reflect.apply(
        writeHead,
        this,
        given.filter((value) => value !== stated),
      ) as ServerResponse
    } as ServerResponse['writeHead']
  })
}

function mayBeKept(target: string, status: number): boolean {
  const path = URL.parse(target, 'http://console.invalid')?.pathname ?? ''
  return KEPT_STATUS.has(status) && (path.startsWith(FILES) || ICONS.has(path))
}

function forbidKeeping(response: ServerResponse): void {
  if (!String(response.getHeader('cache-control') ?? '').includes('no-store'))
    response.setHeader('cache-control', 'no-store')
}

const RETRY_AFTER_SECONDS = '5'

const REFUSALS: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  ERR_BODY_TOO_LARGE: 413,
}

export function refuseBroken(server: Server, headers: Headers): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    refuseRaw(socket, REFUSALS[error.code ?? ''] ?? 400, headers)
  })
}

interface ConnectionBounds {
  readonly most: number
  /** Infinite behind a proxy, which has one address. */
  readonly mostPerAddress: number
}

export function limitConnections(server: Server, bounds: ConnectionBounds, headers: Headers, onRefused = () => {}) {
  const open = new Map<string, number>()
  let all = 0
  server.on('connection', (socket: Socket) => {
    const address = clientNetwork(socket.remoteAddress ?? '')
    const ofAddress = (open.get(address) ?? 0) + 1
    open.set(address, ofAddress)
    all += 1
    socket.once('close', () => {
      all -= 1
      const left = (open.get(address) ?? 1) - 1
      if (left > 0) open.set(address, left)
      else open.delete(address)
    })
    if (all > bounds.most || ofAddress > bounds.mostPerAddress) {
      onRefused()
      refuseRaw(socket, 503, { ...headers, 'retry-after': RETRY_AFTER_SECONDS })
    }
  })
}

function refuseRaw(socket: Socket, status: number, headers: Headers): void {
  const underWay = (socket as Socket & { _httpMessage?: ServerResponse })._httpMessage
  if (!socket.writable || underWay?.headersSent === true) return void socket.destroy()
  const lines = Object.entries({ ...headers, 'cache-control': 'no-store', connection: 'close', 'content-length': '0' })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n`)
  socket.destroySoon()
}

const deadlineMs = (request: IncomingMessage): number => 10_000 + Number(request.headers['content-length'] ?? 0) / 50

/** Next calls a handler only after the whole body has arrived. */
export function limitBodies(server: Server, within: (request: IncomingMessage) => number = deadlineMs): void {
  server.prependListener('request', (request: IncomingMessage) => {
    const timer = setTimeout(() => {
      const late: NodeJS.ErrnoException = new Error('the body did not come in time')
      late.code = 'ERR_HTTP_REQUEST_TIMEOUT'
      if (!request.complete) server.emit('clientError', late, request.socket)
    }, within(request))
    timer.unref()
    request.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer))
  })
}
