import { type IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type WebSocket, WebSocketServer } from 'ws'
import { DISPUTE_HUB_PATH } from '#lib/contract/disputes.ts'
import { refuseOtherMethods } from '#sandbox/http/app.ts'
import { bearerOf, type Caller, callerOf, requireScope } from '#sandbox/http/caller.ts'
import { Refusal, sendProblem } from '#sandbox/http/problem.ts'
import type { Gate } from '#sandbox/http/serve.ts'
import { HUB_SCOPE, type Hub } from './hub.ts'

const NEGOTIATE_PATH = `${DISPUTE_HUB_PATH}/negotiate`

interface HubQuery {
  readonly access_token?: unknown
  readonly id?: unknown
  readonly negotiateVersion?: unknown
}

type HubRequest = FastifyRequest<{ Querystring: HubQuery }>

/** WebSockets are accepted with or without negotiation. */
export function serveHub(app: FastifyInstance, gate: Gate, hub: Hub): void {
  const upgrades = routeUpgrades(app)
  app.addHook('onListen', async () => hub.start())
  app.addHook('preClose', async () => hub.stop())
  app.register((scope, _options, done) => {
    // Clients send negotiation requests with any media type; the body is ignored.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null))
    scope.addHook('onRequest', async (request, reply) => {
      const away = hub.downForMs()
      readToken(request as HubRequest)
      if (away === 0) return
      const retryAfter = Math.ceil(away / 1000)
      return sendProblem(reply, { status: 503, code: 'core::hub::unavailable', title: 'The hub is away.', retryAfter })
    })
    scope.post<{ Querystring: HubQuery }>(NEGOTIATE_PATH, async (request) => {
      const { caller } = await admit(request, gate)
      return negotiation(hub, caller, request.query.negotiateVersion)
    })
    scope.get<{ Querystring: HubQuery }>(DISPUTE_HUB_PATH, async (request, reply) => {
      const { caller, token } = await admit(request, gate)
      if (!upgrades.has(request.raw)) {
        throw new Refusal(400, 'core::hub::transport', 'The hub is reached by WebSocket only.')
      }
      requireNegotiated(hub, caller, request.query.id)
      reply.hijack()
      upgrades.accept(request.raw, reply.raw, (socket) => hub.accept(socket, caller, token))
    })
    refuseOtherMethods(scope, [DISPUTE_HUB_PATH, NEGOTIATE_PATH])
    done()
  })
}

/** Browsers cannot set a header on a WebSocket, so the hub alone accepts the token in the query. */
function readToken(request: HubRequest): string | null {
  const { authorization } = request.headers
  const { access_token: queried } = request.query
  if (authorization !== undefined) {
    request.hubToken = 'header'
    return bearerOf(authorization)
  }
  if (typeof queried !== 'string') return null
  request.hubToken = 'query'
  return queried
}

async function admit(request: HubRequest, { tokens }: Gate): Promise<{ caller: Caller; token: string }> {
  const token = readToken(request)
  const caller = await callerOf(token, tokens)
  request.callerId = caller.userId
  requireScope(caller, HUB_SCOPE)
  return { caller, token: token ?? '' }
}

/** Before version 1 the connection id was also the token. */
function negotiation(hub: Hub, caller: Caller, version: unknown) {
  const { connectionId, connectionToken } = hub.negotiations.issue(caller.userId)
  const availableTransports = [{ transport: 'WebSockets', transferFormats: ['Text'] }]
  return Number(version) >= 1
    ? { negotiateVersion: 1, connectionId, connectionToken, availableTransports }
    : { negotiateVersion: 0, connectionId: connectionToken, availableTransports }
}

function requireNegotiated(hub: Hub, caller: Caller, connectionToken: unknown): void {
  if (connectionToken === undefined) return
  if (typeof connectionToken === 'string' && hub.negotiations.take(connectionToken, caller.userId)) return
  throw new Refusal(404, 'core::hub::connection', 'No connection with this id was negotiated.')
}

/** ASP.NET Core's limit for one message to a hub. */
const PAYLOAD_MAX_BYTES = 32 * 1024

const WEB_SOCKET_KEY = /^[+/0-9A-Za-z]{22}==$/

/** Upgrade requests go through the router, so that they are logged, meet faults and are refused like all others. */
function routeUpgrades(app: FastifyInstance) {
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
    has(request: IncomingMessage): boolean {
      const { upgrade, 'sec-websocket-key': key = '', 'sec-websocket-version': version } = request.headers
      const asks = upgrade?.toLowerCase() === 'websocket' && WEB_SOCKET_KEY.test(key) && version === '13'
      return asks && early.has(request)
    },
    /** Answers 101. The reply must be hijacked. */
    accept(request: IncomingMessage, response: ServerResponse, opened: (socket: WebSocket) => void): void {
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
