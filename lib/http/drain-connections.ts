import 'server-only'
import type { Server, ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'

const LOOK_EVERY_MS = 100

/** The answers that are under way on a server, of those that were asked for from now on. */
export function watchAnswers(server: Server): ReadonlySet<ServerResponse> {
  const underWay = new Set<ServerResponse>()
  server.prependListener('request', (_request: unknown, response: ServerResponse) => {
    underWay.add(response)
    response.once('close', () => underWay.delete(response))
  })
  return underWay
}

/** The next request comes on another connection; an answer that has begun stays as it is. */
const endConnectionAfter = (response: ServerResponse): void => {
  response.shouldKeepAlive = false
}

/**
 * Takes no connection any more, and answers when none is left. A server that closes finishes what is under way, but keeps
 * a connection on which something was, and a page that asks every few seconds would hold it for ever; so does a connection
 * that a browser opened in advance. Here they are closed as soon as no answer is under way on any of them, and `idleMs` are over.
 */
export function drainConnections(server: Server, underWay: ReadonlySet<ServerResponse>, idleMs: number): Promise<void> {
  // A balancer may be sending a change on an idle connection right now. Where that is closed, nobody knows what became of the
  // change, so the other end has time to close it.
  const until = performance.now() + idleMs
  for (const response of underWay) endConnectionAfter(response)
  server.prependListener('request', (_request: unknown, response: ServerResponse) => endConnectionAfter(response))
  return new Promise((done) => {
    const looking = setInterval(() => {
      if (underWay.size === 0 && performance.now() >= until) server.closeAllConnections()
    }, LOOK_EVERY_MS)
    // Unlike the server's own `close`, this one leaves idle connections alone.
    NetServer.prototype.close.call(server, () => {
      clearInterval(looking)
      done()
    })
  })
}
