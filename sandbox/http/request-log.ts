import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { STEP_UP_HEADER } from '#lib/contract/problem.ts'

export type HubToken = 'header' | 'query'

/** No bodies and no queries, so that the log contains no secrets. */
export interface LoggedRequest {
  readonly sequence: number
  readonly method: string
  readonly path: string
  /** 0 when the connection was cut before an answer. */
  readonly status: number
  readonly userId: string | null
  readonly stepUp: boolean
  /** For the hub: clients that cannot set a header send the token in the query. */
  readonly hubToken: HubToken | null
}

const KEPT_MAX = 50_000

declare module 'fastify' {
  interface FastifyRequest {
    callerId: string | null
    hubToken: HubToken | null
  }
}

export class RequestLog {
  #kept: LoggedRequest[] = []
  #sequence = 0

  add(request: Omit<LoggedRequest, 'sequence'>): void {
    this.#sequence += 1
    this.#kept.push({ sequence: this.#sequence, ...request })
    if (this.#kept.length > KEPT_MAX) this.#kept = this.#kept.slice(-KEPT_MAX / 2)
  }

  after(sequence: number): readonly LoggedRequest[] {
    return this.#kept.filter((request) => request.sequence > sequence)
  }
}

export function keepRequestLog(app: FastifyInstance, log: RequestLog): void {
  app.decorateRequest('callerId', null)
  app.decorateRequest('hubToken', null)
  app.addHook('onRequest', (request, reply, done) => {
    const path = request.url.split('?')[0] ?? ''
    if (!path.startsWith('/sandbox')) {
      reply.raw.once('close', () => {
        log.add({
          method: request.method,
          path,
          status: isAnswered(reply.raw) ? reply.raw.statusCode : 0,
          userId: request.callerId,
          stepUp: request.headers[STEP_UP_HEADER.toLowerCase()] !== undefined,
          hubToken: request.hubToken,
        })
      })
    }
    done()
  })
}

/** An upgraded response never finishes. */
const isAnswered = (raw: ServerResponse): boolean => raw.writableFinished || raw.statusCode === 101
