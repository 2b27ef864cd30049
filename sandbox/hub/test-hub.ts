import { setTimeout as wait } from 'node:timers/promises'
import {
  HttpTransportType,
  type HubConnection,
  HubConnectionBuilder,
  type IHttpConnectionOptions,
  NullLogger,
} from '@microsoft/signalr'
import { vi } from 'vitest'
import { WebSocket } from 'ws'
import { DISPUTE_HUB_PATH, hubEvents, hubMethods } from '#lib/contract/disputes.ts'
import type { Json, TestSandbox } from '#sandbox/testing/test-sandbox.ts'

const RECORD_END = '\u001e'

export type EventName = keyof typeof hubEvents

/** How a client comes in: its token in the header or in the query, with negotiation or without. */
export type TokenPlace = 'header' | 'query' | 'header, negotiated' | 'query, negotiated'

/** The official client, and what it heard. */
export interface HubClient {
  readonly connection: HubConnection
  /** Everything heard so far, oldest first. */
  readonly heard: { readonly name: EventName; readonly payload: Json }[]
  /** Resolves when the connection is over. */
  readonly closed: Promise<void>
  join(caseId: unknown): Promise<void>
  leave(caseId: unknown): Promise<void>
  /** The first event of this name that was not asked for yet; waits until there is one. */
  next(name: EventName): Promise<Json>
}

/** A bare WebSocket that speaks the protocol by hand. */
export interface RawClient {
  readonly socket: WebSocket
  /** The code that the connection was closed with. */
  readonly closed: Promise<number>
  send(message: unknown): void
  /** The next message, parsed. */
  next(): Promise<Json>
}

export function hubOf(box: TestSandbox) {
  const opened: { stop(): unknown }[] = []
  const url = `${box.url}${DISPUTE_HUB_PATH}`

  async function connect(email: string, way: TokenPlace = 'header', retryEveryMs?: number): Promise<HubClient> {
    const token = await box.token(email)
    const byQuery = way.startsWith('query')
    const options: IHttpConnectionOptions = {
      transport: HttpTransportType.WebSockets,
      skipNegotiation: !way.endsWith('negotiated'),
      ...(byQuery ? {} : { accessTokenFactory: () => token }),
    }
    const builder = new HubConnectionBuilder()
      .withUrl(byQuery ? `${url}?access_token=${token}` : url, options)
      .configureLogging(NullLogger.instance)
    if (retryEveryMs !== undefined) builder.withAutomaticReconnect({ nextRetryDelayInMilliseconds: () => retryEveryMs })
    const client = clientOf(builder.build())
    opened.push(client.connection)
    await client.connection.start()
    return client
  }

  /** A WebSocket to the hub; `asked` is sent as headers. Rejects with the status of a refusal. */
  async function raw(headers: Readonly<Record<string, string>> = {}, query = ''): Promise<RawClient> {
    const socket = new WebSocket(url.replace('http', 'ws') + query, { headers })
    const client = rawClientOf(socket)
    opened.push({ stop: () => socket.terminate() })
    await new Promise<void>((done, fail) => {
      socket.once('open', done)
      socket.once('unexpected-response', (_request, response) => fail(response.statusCode))
      socket.once('error', fail)
    })
    return client
  }

  /** A WebSocket whose handshake is done. */
  async function rawAs(email: string): Promise<RawClient> {
    const client = await raw({ authorization: `Bearer ${await box.token(email)}` })
    client.send({ protocol: 'json', version: 1 })
    await client.next()
    return client
  }

  return {
    url,
    connect,
    raw,
    rawAs,
    async stopAll() {
      await Promise.all(opened.splice(0).map((connection) => connection.stop()))
    },
  }
}

function clientOf(connection: HubConnection): HubClient {
  const heard: HubClient['heard'] = []
  const waiting = new Set<() => void>()
  let taken = new Set<number>()
  for (const name of Object.keys(hubEvents) as EventName[]) {
    connection.on(name, (payload: Json) => {
      heard.push({ name, payload })
      for (const look of waiting) look()
    })
  }
  const take = (name: EventName): Json | undefined => {
    const index = heard.findIndex((event, at) => event.name === name && !taken.has(at))
    if (index < 0) return undefined
    taken = new Set([...taken, index])
    return heard[index]?.payload
  }
  return {
    connection,
    heard,
    closed: new Promise((done) => connection.onclose(() => done())),
    join: (caseId) => connection.invoke(hubMethods.join, caseId),
    leave: (caseId) => connection.invoke(hubMethods.leave, caseId),
    next: (name) =>
      new Promise((done) => {
        const look = () => {
          const payload = take(name)
          if (payload === undefined) return
          waiting.delete(look)
          done(payload)
        }
        waiting.add(look)
        look()
      }),
  }
}

function rawClientOf(socket: WebSocket): RawClient {
  const messages: Json[] = []
  const waiting: ((message: Json) => void)[] = []
  socket.on('message', (data) => {
    for (const record of data.toString().split(RECORD_END).filter(Boolean)) {
      const message = JSON.parse(record) as Json
      const first = waiting.shift()
      if (first === undefined) messages.push(message)
      else first(message)
    }
  })
  return {
    socket,
    closed: new Promise((done) => socket.once('close', (code) => done(code))),
    send: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message) + RECORD_END),
    next: () =>
      new Promise((done) => {
        const first = messages.shift()
        if (first === undefined) waiting.push(done)
        else done(first)
      }),
  }
}

/** Moves the machine's clock of a sandbox, which its timers do not follow, until mocks are restored. */
export function clockOf(box: TestSandbox): { forward(milliseconds: number): void } {
  let ahead = 0
  vi.spyOn(box.sandbox.world, 'wallMilliseconds').mockImplementation(() => Date.now() + ahead)
  return {
    forward(milliseconds) {
      ahead += milliseconds
    },
  }
}

/** Waits for something that happens in another connection; the test's own time-out is the limit. */
export async function until(happened: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await happened())) await wait(10)
}
