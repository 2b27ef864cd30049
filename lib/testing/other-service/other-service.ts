import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { STEP_UP_HEADER } from '#lib/contract/problem.ts'
import { scopes } from '#lib/contract/scopes.ts'
import * as cards from './cards-and-terminals.ts'
import * as disputes from './disputes.ts'
import { type Fault, type Written, written } from './faults.ts'
import { type Call, ok, type Reply, refuse } from './reply.ts'
import * as security from './security.ts'
import * as transactions from './transactions.ts'
import { CLOCK_AHEAD_MS, otherVariant, type Variant } from './variants.ts'
import { type Person, World } from './world.ts'

type Handler = (call: Call) => Reply

const routes: readonly (readonly [method: string, path: RegExp, handler: Handler])[] = [
  ['GET', /^\/Users\/([^/]+)\/scopes$/, () => ok({ roles: [], scopes: [...scopes.map(bare), 'zz:everything'] })],
  ['POST', /^\/Transaction\/deposit\/confirm$/, transactions.confirm],
  ['POST', /^\/Transaction\/dispute\/resolve$/, transactions.resolveTransaction],
  ['GET', /^\/Transaction\/account\/([^/]+)$/, transactions.history],
  ['GET', /^\/Transaction\/([^/]+)$/, transactions.readOne],
  ['GET', /^\/Dispute$/, disputes.list],
  ['GET', /^\/Dispute\/([^/]+)$/, disputes.readOne],
  ['GET', /^\/Dispute\/([^/]+)\/messages$/, disputes.messages],
  ['POST', /^\/Dispute\/([^/]+)\/messages$/, disputes.post],
  ['POST', /^\/Dispute\/([^/]+)\/resolve$/, disputes.resolveCase],
  ['GET', /^\/cards$/, cards.listCards],
  ['POST', /^\/cards$/, cards.issueCard],
  ['GET', /^\/cards\/([^/]+)$/, cards.readCard],
  ['POST', /^\/cards\/([^/]+)\/block$/, cards.blockCard],
  ['GET', /^\/merchant-terminals$/, cards.listTerminals],
  ['POST', /^\/merchant-terminals$/, cards.registerTerminal],
  ['GET', /^\/merchant-terminals\/([^/]+)$/, cards.readTerminal],
  ['POST', /^\/merchant-terminals\/([^/]+)\/disable$/, cards.disableTerminal],
  ['GET', /^\/Security\/totp$/, security.status],
  ['POST', /^\/Security\/totp\/enrol$/, security.enrol],
  ['POST', /^\/Security\/totp\/enrol\/confirm$/, security.confirmFactor],
  ['POST', /^\/Security\/totp\/verify$/, security.verify],
  ['DELETE', /^\/Security\/totp$/, security.removeFactor],
]

function head(response: ServerResponse, { status, type, headers }: Written): void {
  response.writeHead(status, {
    date: new Date(Date.now() + CLOCK_AHEAD_MS).toUTCString(),
    ...(type === null ? {} : { 'content-type': type }),
    ...headers,
  })
}

function write(response: ServerResponse, answer: Written): void {
  head(response, answer)
  response.end(answer.text)
}

const reset = (socket: Socket | null): void => void socket?.resetAndDestroy()

/** The connection is reset in the middle of the body. */
function writeHalf(response: ServerResponse, answer: Written): void {
  head(response, answer)
  response.write(answer.text.slice(0, answer.text.length / 2), () => reset(response.socket))
}

const bare = (scope: string): string => scope.slice('core:'.length)

/**
 * A second implementation of the interface, in memory and for tests: legal, and different from the sandbox in whatever the
 * interface leaves open. It takes any bearer token that it was told of.
 */
export class OtherService {
  readonly #server: Server
  #world = new World(otherVariant)
  #waiting: (() => Reply)[] = []
  #changesSent = 0
  /** The next changes meet these, each one of them; the exchange of a code for a grant is no change. */
  faults: Fault[] = []
  #silent: ServerResponse[] = []
  #onSilence: () => void = () => {}

  private constructor(server: Server) {
    this.#server = server
  }

  static async start(): Promise<OtherService> {
    const server = createServer()
    const service = new OtherService(server)
    server.on('request', (request, response) => void service.#serve(request, response))
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    return service
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  get world(): World {
    return this.#world
  }

  /** How many changes were sent here, whatever came of them. */
  get changesSent(): number {
    return this.#changesSent
  }

  /** As if nothing had happened yet. */
  reset(variant: Partial<Variant> = {}): void {
    this.#world = new World({ ...otherVariant, ...variant })
    this.#waiting = []
    this.#changesSent = 0
    this.faults = []
    this.#silent = []
  }

  /** From now on this bearer token is this person's. */
  admit(token: string, userId: string, admin: boolean, factor: Person['factor']): Person {
    const person: Person = {
      userId,
      refreshToken: `refresh-${token}`,
      admin,
      factor,
      enrolledAt: null,
      wrongCodes: 0,
      lockedUntil: null,
      grants: new Set(),
    }
    this.#world.people.set(token, person)
    return person
  }

  personOf({ userId }: { readonly userId: string | null }): Person {
    const person = [...this.#world.people.values()].find((one) => one.userId === userId)
    if (person === undefined) throw new Error('this person was not admitted')
    return person
  }

  /** Makes the changes that were accepted, or whose connection was cut before they were made. */
  work(): void {
    for (const run of this.#waiting.splice(0)) run()
  }

  /** Until a change has met a silence. */
  silence(): Promise<void> {
    return new Promise((done) => {
      this.#onSilence = done
    })
  }

  /** Nothing listens at its address any more, until {@link listenAgain}. */
  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((done) => this.#server.close(done))
  }

  async listenAgain(port: number): Promise<void> {
    await new Promise<void>((done) => this.#server.listen(port, '127.0.0.1', done))
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const make = this.#prepared(request, Buffer.concat(parts).toString('utf8'))
    const isChange = request.method !== 'GET' && !/\/(totp\/verify|refresh-token)$/.test(request.url ?? '')
    const fault = isChange ? this.faults.shift() : undefined
    if (isChange) this.#changesSent += 1
    const { makes, ends } = fault ?? { makes: 'now', ends: 'answer' }
    if (makes === 'later') this.#waiting.push(make)
    const truth = written(makes === 'now' ? make() : ok({}), this.#world.variant)
    switch (ends) {
      case 'answer':
        return write(response, truth)
      case 'cut':
        return void request.socket.destroy()
      case 'reset':
        return reset(request.socket)
      case 'half':
        return writeHalf(response, truth)
      case 'silence':
        this.#silent.push(response)
        return this.#onSilence()
      default:
        return write(response, ends)
    }
  }

  /** What the request asks for, to be done now, later, or never. */
  #prepared(request: IncomingMessage, text: string): () => Reply {
    const { pathname, searchParams } = new URL(request.url ?? '', this.url)
    const path = pathname.replace('/api/v1', '')
    if (path === '/Users/refresh-token') return () => this.#renewed(text)
    const token = request.headers.authorization?.replace('Bearer ', '') ?? ''
    const caller = this.#world.people.get(token)
    if (caller === undefined) return () => refuse(401)
    const grant = request.headers[STEP_UP_HEADER.toLowerCase()]
    for (const [method, pattern, handler] of routes) {
      const match = method === request.method ? pattern.exec(path) : null
      if (match === null) continue
      const id = decodeURIComponent(match[1] ?? '')
      const body = text === '' ? {} : (JSON.parse(text) as Readonly<Record<string, unknown>>)
      const given = { id, body, query: searchParams, grant: typeof grant === 'string' ? grant : null }
      return () => handler({ world: this.#world, caller, ...given })
    }
    return () => refuse(404)
  }

  /** Both tokens are new. */
  #renewed(text: string): Reply {
    const { refreshToken } = JSON.parse(text) as { readonly refreshToken: string }
    const person = [...this.#world.people.values()].find((one) => one.refreshToken === refreshToken)
    if (person === undefined) return refuse(401)
    const accessToken = `bearer-${randomUUID()}`
    person.refreshToken = `refresh-${randomUUID()}`
    this.#world.people.set(accessToken, person)
    return ok({ accessToken, refreshToken: person.refreshToken, expiresIn: 600 })
  }
}
