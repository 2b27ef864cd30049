import 'server-only'
import { subscribe } from 'node:diagnostics_channel'
import type { Server, ServerResponse } from 'node:http'

const LOOK_EVERY_MS = 100

/** What node tells of every request that one of its servers takes. */
interface Started {
  readonly server: Server
  readonly response: ServerResponse
}

/**
 * Lets go of connections when the process is asked to stop. A server that closes finishes what is under way, but keeps a
 * connection on which something was, and a page that asks every few seconds would hold it for ever; so does a connection
 * that a browser opened in advance. Here they are closed as soon as no answer is under way on any of them.
 */
export function letGoAtStop(): void {
  const servers = new Set<Server>()
  let underWay = 0
  subscribe('http.server.request.start', (message) => {
    const { server, response } = message as Started
    servers.add(server)
    underWay += 1
    response.once('close', () => {
      underWay -= 1
    })
  })
  const letGo = () => {
    const looking = setInterval(() => {
      if (underWay > 0) return
      for (const server of servers) server.closeAllConnections()
    }, LOOK_EVERY_MS)
    looking.unref()
  }
  process.once('SIGTERM', letGo)
  process.once('SIGINT', letGo)
}
