import 'server-only'
import type { Server, ServerResponse } from 'node:http'

const LOOK_EVERY_MS = 100

/** Counts the answers that are under way on a server, from now on. */
export function countAnswers(server: Server): () => number {
  let underWay = 0
  server.prependListener('request', (_request: unknown, response: ServerResponse) => {
    underWay += 1
    response.once('close', () => {
      underWay -= 1
    })
  })
  return () => underWay
}

/**
 * Takes no connection any more, and answers when none is left. A server that closes finishes what is under way, but keeps
 * a connection on which something was, and a page that asks every few seconds would hold it for ever; so does a connection
 * that a browser opened in advance. Here they are closed as soon as no answer is under way on any of them.
 */
export function drainConnections(server: Server, underWay: () => number): Promise<void> {
  return new Promise((done) => {
    const looking = setInterval(() => {
      if (underWay() === 0) server.closeAllConnections()
    }, LOOK_EVERY_MS)
    server.close(() => {
      clearInterval(looking)
      done()
    })
  })
}
