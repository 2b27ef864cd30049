import { type IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { type WebSocket, WebSocketServer } from 'ws'

/** ASP.NET Core's limit for what a hub takes in one message. */
const PAYLOAD_MAX_BYTES = 32 * 1024

const WEB_SOCKET_KEY = /^[+/0-9A-Za-z]{22}==$/

/** Makes WebSockets of requests that ask for it. */
export interface Upgrades {
  /** Whether this request asked to be upgraded to a WebSocket, and can be. */
  has(request: IncomingMessage): boolean
  /** Answers 101 and gives the WebSocket. The reply must be hijacked. */
  accept(request: IncomingMessage, response: ServerResponse, opened: (socket: WebSocket) => void): void
}

/**
 * Sends requests for an upgrade through the router like all others, so that they are logged, meet faults and are refused
 * in the same way.
 */
export function routeUpgrades(app: FastifyInstance): Upgrades {
  const sockets = new WebSocketServer({ noServer: true, clientTracking: false, maxPayload: PAYLOAD_MAX_BYTES })
  /** What a client sent right after its request, before it was answered. */
  const early = new WeakMap<IncomingMessage, Buffer>()

  app.server.on('upgrade', (request, socket, head) => {
    if (!(socket instanceof Socket)) return
    // A client that is gone again is no fault of ours.
    socket.on('error', () => {})
    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    response.assignSocket(socket)
    response.once('finish', () => {
      release(response, socket)
      socket.destroySoon()
    })
    early.set(request, head)
    app.routing(request, response)
  })

  return {
    has(request) {
      const { upgrade, 'sec-websocket-key': key = '', 'sec-websocket-version': version } = request.headers
      const asks = upgrade?.toLowerCase() === 'websocket' && WEB_SOCKET_KEY.test(key) && version === '13'
      return asks && early.has(request)
    },
    accept(request, response, opened) {
      const { socket } = request
      sockets.handleUpgrade(request, socket, early.get(request) ?? Buffer.alloc(0), (webSocket) => {
        response.statusCode = 101
        release(response, socket)
        opened(webSocket)
      })
    },
  }
}

/** The response is over, and the connection no longer its own. Of other requests the server itself says so. */
function release(response: ServerResponse, socket: Socket): void {
  response.detachSocket(socket)
  response.emit('close')
}
