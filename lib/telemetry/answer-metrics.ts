import 'server-only'
import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { TelemetryConfig } from '#lib/config/config.ts'
import { metricsOfProcess } from './spans.ts'

export const METRICS_PATH = '/api/metrics'

type Access = TelemetryConfig['metrics']

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const
const TEXT = { ...HEADERS, 'content-type': 'text/plain; charset=utf-8' }
const nothingHere: Answer = { status: 404, headers: TEXT, body: 'There is nothing here.\n' }

/** 404 without a token, or if metrics have a separate port. */
export const metricsOnMainPort = async ({ port, token }: Access, authorization: string | null): Promise<Answer> =>
  port !== null || token === null ? nothingHere : await answer(token, authorization)

async function answer(token: string | null, authorization: string | null): Promise<Answer> {
  if (token !== null && !isBearer(token, authorization))
    return { status: 401, headers: { ...TEXT, 'www-authenticate': 'Bearer' }, body: 'This needs a token.\n' }
  const registry = metricsOfProcess()
  if (registry === null) return nothingHere
  return { status: 200, headers: { ...HEADERS, 'content-type': registry.contentType }, body: await registry.metrics() }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Constant time: the timing must not reveal the token. */
export const isBearer = (token: string, authorization: string | null): boolean =>
  timingSafeEqual(digest(`Bearer ${token}`), digest(authorization ?? ''))

const HEADERS_WITHIN_MS = 5_000

export function serveMetrics({ port, host, token }: Access & { readonly port: number }): Promise<Server> {
  const server = createServer({ headersTimeout: HEADERS_WITHIN_MS, requestTimeout: HEADERS_WITHIN_MS })
  server.on('request', (request, response) => {
    const [path] = (request.url ?? '').split('?', 1)
    const known = path === METRICS_PATH && (request.method === 'GET' || request.method === 'HEAD')
    const answering = known ? answer(token, request.headers.authorization ?? null) : Promise.resolve(nothingHere)
    answering
      .then(({ status, headers, body }) => response.writeHead(status, headers).end(body))
      .catch(() => response.destroy())
  })
  return new Promise((done, fail) => {
    server.once('error', fail)
    server.listen(port, host, () => done(server))
  })
}
