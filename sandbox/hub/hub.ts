import { randomUUID } from 'node:crypto'
import { MessageType } from '@microsoft/signalr'
import type { WebSocket } from 'ws'
import { DISPUTE_HUB_PATH, hubMethods } from '#lib/contract/disputes.ts'
import type { DisputeEvent } from '#sandbox/disputes/events.ts'
import { visibleCase } from '#sandbox/disputes/visible.ts'
import { type Caller, callerOf, requireScope } from '#sandbox/http/caller.ts'
import type { Faults } from '#sandbox/http/faults.ts'
import { Refusal } from '#sandbox/http/problem.ts'
import type { Gate } from '#sandbox/http/serve.ts'
import type { World } from '#sandbox/world/world.ts'
import { Connection, encode, TOKEN_EXPIRED } from './connection.ts'

export const HUB_SCOPE = 'core:disputes:read'

const CHECK_EVERY_MS = 250

/** interface.md, "Dispute hub". */
export class Hub {
  readonly negotiations: Negotiations
  readonly #gate: Gate
  readonly #faults: Faults
  readonly #connections = new Set<Connection>()
  #downUntilMs = 0
  #stop: (() => void) | null = null

  constructor(gate: Gate, faults: Faults) {
    this.#gate = gate
    this.#faults = faults
    this.negotiations = new Negotiations(gate.world)
  }

  start(): void {
    const stopListening = this.#gate.world.disputeEvents.listen((event) => this.#deliver(event))
    const timer = setInterval(() => {
      for (const connection of this.#connections) connection.check()
    }, CHECK_EVERY_MS)
    this.#stop = () => {
      clearInterval(timer)
      stopListening()
    }
  }

  stop(): void {
    this.#stop?.()
    this.#stop = null
    this.#cutAll()
  }

  accept(socket: WebSocket, caller: Caller, token: string): void {
    // The hub stopped while this client was being admitted.
    if (this.#stop === null) {
      socket.terminate()
      return
    }
    const { world } = this.#gate
    const connection = new Connection(socket, {
      userId: caller.userId,
      tokenEndsMs: caller.tokenEndsMs,
      now: () => world.wallMilliseconds(),
      call: (from, target, args) => this.#call(from, token, target, args),
    })
    this.#connections.add(connection)
    socket.once('close', () => this.#connections.delete(connection))
  }

  /** Returns how many connections were cut. The hub is down for `downMs` by the machine's clock. */
  drop(downMs: number): number {
    this.#downUntilMs = this.#gate.world.wallMilliseconds() + downMs
    return this.#cutAll()
  }

  downForMs(): number {
    return Math.max(0, this.#downUntilMs - this.#gate.world.wallMilliseconds())
  }

  /** The clients may reconnect with another token. */
  endTokensOf(userId: string): void {
    for (const connection of this.#connections) {
      if (connection.userId === userId) connection.end(TOKEN_EXPIRED, true)
    }
  }

  startOver(): void {
    this.#downUntilMs = 0
    for (const connection of this.#connections) connection.end('The sandbox was reset.', true)
  }

  #cutAll(): number {
    const cut = this.#connections.size
    for (const connection of this.#connections) connection.cut()
    return cut
  }

  #deliver(event: DisputeEvent): void {
    const message = encode({ type: MessageType.Invocation, target: event.name, arguments: [event.payload] })
    for (const connection of this.#connections) {
      const hears =
        event.name === 'CaseOpened' ? connection.userId === event.userId : connection.joined.has(event.caseId)
      if (hears) connection.send(message)
    }
  }

  /** Calls support only the faults that refuse. */
  #meetFault(target: string): void {
    const effect = this.#faults.take('CALL', [`${DISPUTE_HUB_PATH}/${target}`])?.effect
    if (typeof effect !== 'object' || !('status' in effect)) return
    const { status, code = `sandbox::fault::${status}`, title = 'The sandbox was set to refuse.' } = effect
    throw new Refusal(status, code, title)
  }

  /** Scopes and visibility are checked for every call. */
  async #call(connection: Connection, token: string, target: string, args: readonly unknown[]): Promise<string | null> {
    const { world, tokens } = this.#gate
    try {
      this.#meetFault(target)
      await callCaseMethod(world, await callerOf(token, tokens), connection.joined, target, args)
      return null
    } catch (error) {
      if (error instanceof Refusal) {
        const { status, code, title } = error.problem
        if (status === 401) connection.end(TOKEN_EXPIRED, true)
        return `${code}: ${title}`
      }
      process.stderr.write(`sandbox hub: ${error instanceof Error ? error.stack : String(error)}\n`)
      return 'core::server::fail: Something went wrong.'
    }
  }
}

/** Uses the same check as reading the case, so that no one can listen to a case that they cannot read. */
async function callCaseMethod(
  world: World,
  caller: Caller,
  joined: Set<string>,
  target: string,
  args: readonly unknown[],
): Promise<void> {
  const methods: readonly string[] = [hubMethods.join, hubMethods.leave]
  if (!methods.includes(target)) throw new Refusal(404, 'core::hub::method', 'The hub has no such method.')
  const [caseId] = args
  if (args.length !== 1 || typeof caseId !== 'string') {
    throw new Refusal(400, 'core::hub::arguments', `${target} takes the id of a case.`)
  }
  // Leaving always works, but only a person who may see the case learns whether it exists.
  if (target === hubMethods.leave) joined.delete(caseId.toLowerCase())
  requireScope(caller, HUB_SCOPE)
  const { id } = await visibleCase(world.db, caller, caseId)
  if (target === hubMethods.join) joined.add(id)
}

const WAITS_MS = 30_000

class Negotiations {
  readonly #world: World
  #waiting = new Map<string, { readonly userId: string; readonly endsMs: number }>()

  constructor(world: World) {
    this.#world = world
  }

  issue(userId: string) {
    const now = this.#world.wallMilliseconds()
    this.#waiting = new Map([...this.#waiting].filter(([, { endsMs }]) => endsMs > now))
    const connectionToken = randomUUID()
    this.#waiting.set(connectionToken, { userId, endsMs: now + WAITS_MS })
    return { connectionId: randomUUID(), connectionToken }
  }

  /** True once, for the user who negotiated. */
  take(connectionToken: string, userId: string): boolean {
    const found = this.#waiting.get(connectionToken)
    if (found?.userId !== userId || found.endsMs <= this.#world.wallMilliseconds()) return false
    return this.#waiting.delete(connectionToken)
  }
}
