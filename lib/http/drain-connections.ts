import 'server-only'
import type { Server, ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'

const LOOK_EVERY_MS = 100

export function watchAnswers(server: Server): ReadonlySet<ServerResponse> {
  const underWay = new Set<ServerResponse>()
  server.prependListener('request', (_request: unknown, response: ServerResponse) => {
    underWay.add(response)
    response.once('close', () => underWay.delete(response))
  })
  return underWay
}

const endConnectionAfter = (response: ServerResponse): void => {
  response.shouldKeepAlive = false
}

/**
 * Resolves when no connection is left. A keep-alive connection of a polling page or a preconnect would never close, so
 * they are closed when no answer is running and `idleMs` have passed.
 */
export function drainConnections(server: Server, underWay: ReadonlySet<ServerResponse>, idleMs: number): Promise<void> {
  // A load balancer may be sending a change on an idle connection: closing it would leave the outcome unknown, so the
  // other end gets time to close it.
  const until = performance.now() + idleMs
  for (const response of underWay) endConnectionAfter(response)
  server.prependListener('request', (_request: unknown, response: ServerResponse) => endConnectionAfter(response))
  return new Promise((done) => {
    const looking = setInterval(() => {
      if (underWay.size === 0 && performance.now() >= until) server.closeAllConnections()
    }, LOOK_EVERY_MS)
    // The HTTP server's own `close` also closes idle connections.
    NetServer.prototype.close.call(server, () => {
      clearInterval(looking)
      done()
    })
  })
}
