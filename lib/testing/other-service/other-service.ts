import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { STEP_UP_HEADER } from '#lib/contract/problem.ts'
import { scopes } from '#lib/contract/scopes.ts'
import * as cards from './cards-and-terminals.ts'
import * as disputes from './disputes.ts'
import { type Fault, meet, written } from './faults.ts'
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
  /** Meets the next change, and is over then; the exchange of a code for a grant is no change. */
  fault: Fault | null = null

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
    this.fault = null
  }

  /** From now on this bearer token is this person's. */
  admit(token: string, userId: string, admin: boolean, factor: Person['factor']): Person {
    const person: Person = {
      userId,
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

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((done) => this.#server.close(done))
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const make = this.#prepared(request, Buffer.concat(parts).toString('utf8'))
    const { variant } = this.#world
    const isChange = request.method !== 'GET' && !request.url?.endsWith('/totp/verify')
    const fault = isChange ? this.fault : null
    if (isChange) {
      this.#changesSent += 1
      this.fault = null
    }
    const answer =
      fault === null ? written(make(), variant) : meet(fault, make, (one) => this.#waiting.push(one), variant)
    if (answer === null) {
      request.socket.destroy()
      return
    }
    response.writeHead(answer.status, {
      date: new Date(Date.now() + CLOCK_AHEAD_MS).toUTCString(),
      ...(answer.type === null ? {} : { 'content-type': answer.type }),
    })
    response.end(answer.text)
  }

  /** What the request asks for, to be done now, later, or never. */
  #prepared(request: IncomingMessage, text: string): () => Reply {
    const { pathname, searchParams } = new URL(request.url ?? '', this.url)
    const path = pathname.replace('/api/v1', '')
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
}
