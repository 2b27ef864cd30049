import 'server-only'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { duringWork, log } from '#lib/config/log.ts'
import type { AroundAnswer } from '#lib/http/http-server.ts'
import { meters, type OpenSpan, startSpan } from './spans.ts'

interface Observation {
  readonly templateOf: (pathname: string) => string | null
  readonly logRequests: boolean
}

export const REQUEST_ID_HEADER = 'x-request-id'
export const BUILT_FILE = 'built file'
export const OTHER = 'other'
export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
/** Counted, but neither logged nor traced. */
const ASKED_BY_MACHINES = ['/api/health', '/api/ready', '/api/metrics', BUILT_FILE]

export function observeRequests({ templateOf, logRequests }: Observation): AroundAnswer {
  return (request, response, answer) => {
    const method = METHODS.includes(request.method ?? '') ? (request.method ?? '') : OTHER
    const route = routeOf(request, templateOf)
    const isLogged = !ASKED_BY_MACHINES.includes(route)
    const about = { id: randomUUID(), route, person: null, hasWritten: false }
    response.setHeader(REQUEST_ID_HEADER, about.id)
    const attributes = { 'http.request.method': method, 'http.route': route }
    const span = isLogged ? startSpan({ name: `${method} ${route}`, kind: 'server', attributes, parent: null }) : null
    const began = performance.now()
    duringWork({ request: about, span: span?.ids ?? null }, () => {
      response.once('close', () => {
        const ms = performance.now() - began
        const status = response.headersSent ? response.statusCode : null
        meters().request(route, method, status === null ? 'none' : `${Math.floor(status / 100)}xx`, ms / 1000)
        endSpan(span, status)
        if (!isLogged || !logRequests) return
        duringWork({ request: about, span: span?.ids ?? null }, () =>
          log().info({ event: 'request', method, status, ms: Math.round(ms), whole: response.writableFinished }),
        )
      })
      answer()
    })
  }
}

function routeOf({ url = '' }: IncomingMessage, templateOf: Observation['templateOf']): string {
  const [pathname = ''] = url.split('?', 1)
  if (pathname.startsWith('/_next/static/') || pathname === '/icon.svg' || pathname === '/favicon.ico')
    return BUILT_FILE
  return templateOf(pathname) ?? OTHER
}

function endSpan(span: OpenSpan | null, status: ServerResponse['statusCode'] | null): void {
  span?.end(status === null ? {} : { 'http.response.status_code': status }, (status ?? 0) >= 500)
}
