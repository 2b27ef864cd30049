import http, { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { isJson, openTexts, withUnknownFields } from './open-fields.ts'

/** Stands between the console and the sandbox and remembers every token that passes, in either direction. */
export interface RecordingProxy {
  readonly url: string
  /** Access, refresh and ID tokens, and step-up grants, in the order in which they were first seen. */
  readonly tokens: ReadonlySet<string>
  /** Changes the next answer to a GET of this path, as a service might that errs. */
  amend(path: string, change: Amendment): void
  /** Holds requests to this path back from the service until the function that it returns is called. */
  hold(path: string): () => void
  /** From now on every answer and every event carries unknown fields as well, or no more. */
  addUnknownFields(wanted: boolean): void
  stop(): Promise<void>
}

/** From the text of an answer to what is passed on in its place. */
type Amendment = (body: string) => string

const TOKEN_FIELDS = /"(?:access_?token|refresh_?token|id_?token|token)"\s*:\s*"([^"]+)"/gi

export async function startRecordingProxy(targetPort: number): Promise<RecordingProxy> {
  const tokens = new Set<string>()
  const amendments = new Map<string, Amendment>()
  const held = new Map<string, Promise<void>>()
  let open = false
  const server = http.createServer(async (incoming, outgoing) => {
    const path = incoming.url?.split('?')[0] ?? ''
    const change = incoming.method === 'GET' ? amendments.get(path) : undefined
    if (change !== undefined) amendments.delete(path)
    await held.get(path)
    forward(
      incoming,
      outgoing,
      targetPort,
      tokens,
      (headers) => change ?? (open && isJson(headers) ? withUnknownFields : null),
    )
  })
  const lines = new Set<Duplex>()
  server.on('upgrade', (incoming, line: Duplex, head) => {
    lines.add(line)
    line.once('close', () => lines.delete(line))
    join(incoming, line, head, targetPort, tokens, open)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://localhost:${port}`,
    tokens,
    amend: (path, change) => amendments.set(path, change),
    hold(path) {
      const { promise, resolve } = Promise.withResolvers<void>()
      held.set(path, promise)
      return () => {
        held.delete(path)
        resolve()
      }
    },
    addUnknownFields: (wanted) => {
      open = wanted
    },
    stop: () =>
      new Promise((done) => {
        for (const line of lines) line.destroy()
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

function remember(incoming: IncomingMessage, tokens: Set<string>): void {
  const bearer = /^Bearer (.+)$/.exec(incoming.headers.authorization ?? '')?.[1]
  if (bearer !== undefined) tokens.add(bearer)
}

/** A WebSocket is passed on as it is, byte for byte; what the service says with unknown fields, when they are wanted. */
function join(
  incoming: IncomingMessage,
  line: Duplex,
  head: Buffer,
  port: number,
  tokens: Set<string>,
  open: boolean,
): void {
  remember(incoming, tokens)
  const target = connect({ host: '127.0.0.1', port })
  const pairs = incoming.rawHeaders.flatMap((name, at) =>
    at % 2 === 0 ? [`${name}: ${incoming.rawHeaders[at + 1]}`] : [],
  )
  target.write([`${incoming.method} ${incoming.url} HTTP/1.1`, ...pairs, '', ''].join('\r\n'))
  target.write(head)
  if (open)
    target.on(
      'data',
      openTexts((bytes) => line.write(bytes)),
    )
  else target.pipe(line)
  line.pipe(target)
  for (const [one, other] of [[line, target] as const, [target, line] as const]) {
    one.on('error', () => other.destroy())
    one.on('close', () => other.destroy())
  }
}

function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  port: number,
  tokens: Set<string>,
  changeFor: (headers: IncomingHttpHeaders) => Amendment | null,
): void {
  remember(incoming, tokens)
  const { method, url: path, headers } = incoming
  const target = http.request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (answer) => {
    let text = ''
    const change = changeFor(answer.headers)
    const { 'content-length': _length, ...kept } = answer.headers
    outgoing.writeHead(answer.statusCode ?? 502, change === null ? answer.headers : kept)
    answer.on('data', (part: Buffer) => {
      text += part.toString('utf8')
      if (change === null) outgoing.write(part)
    })
    answer.on('end', () => {
      for (const [, token] of text.matchAll(TOKEN_FIELDS)) if (token !== undefined) tokens.add(token)
      if (change === null) outgoing.end()
      else outgoing.end(change(text))
    })
    // An answer that is cut off is passed on cut off.
    answer.on('error', () => outgoing.destroy())
  })
  target.on('error', () => outgoing.destroy())
  incoming.pipe(target)
}
