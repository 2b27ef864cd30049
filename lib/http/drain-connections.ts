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
 * A keep-alive connection or a preconnect would never close, so it is closed once no answer is running and `idleMs`
 * have passed.
 */
export function drainConnections(server: Server, underWay: ReadonlySet<ServerResponse>, idleMs: number): Promise<void> {
  // A load balancer may be sending a change on an idle connection; closing it would leave the outcome unknown.
  const until = performance.now() + idleMs
  for (const response of underWay) endConnectionAfter(response)
  server.prependListener('request', (_request: unknown, response: ServerResponse) => endConnectionAfter(response))
  return new Promise((done) => {
    const looking = setInterval(() => {
      if (underWay.size === 0 && performance.now() >= until) server.closeAllConnections()
    }, LOOK_EVERY_MS)
    // The HTTP server's `close` would close idle connections.
    NetServer.prototype.close.call(server, () => {
      clearInterval(looking)
      done()
    })
  })
}
