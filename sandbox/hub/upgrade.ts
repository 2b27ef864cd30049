import { type IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { type WebSocket, WebSocketServer } from 'ws'

/** ASP.NET Core's limit for one message to a hub. */
const PAYLOAD_MAX_BYTES = 32 * 1024

const WEB_SOCKET_KEY = /^[+/0-9A-Za-z]{22}==$/

export interface Upgrades {
  has(request: IncomingMessage): boolean
  /** Answers 101. The reply must be hijacked. */
  accept(request: IncomingMessage, response: ServerResponse, opened: (socket: WebSocket) => void): void
}

/** Upgrade requests go through the router, so that they are logged, meet faults and are refused like all others. */
export function routeUpgrades(app: FastifyInstance): Upgrades {
  const sockets = new WebSocketServer({ noServer: true, clientTracking: false, maxPayload: PAYLOAD_MAX_BYTES })
  /** Bytes that the client sent before the answer. */
  const early = new WeakMap<IncomingMessage, Buffer>()

  app.server.on('upgrade', (request, socket, head) => {
    if (!(socket instanceof Socket)) return
    // A client that disconnects is not an error.
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

/** Detaches the socket and emits `close`, which Node does only for ordinary requests. */
function release(response: ServerResponse, socket: Socket): void {
  response.detachSocket(socket)
  response.emit('close')
}
