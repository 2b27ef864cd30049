import 'server-only'
import type { hubMethods } from '#lib/contract/dispute-hub.ts'
import type { HubEventName } from './hub-payload.ts'

export type HubMethod = (typeof hubMethods)[keyof typeof hubMethods]

/** One session's line to the service's dispute hub. It comes back by itself, and has forgotten every case then. */
export interface Hub {
  /** Names the connection that is up: another number after every return. Null while there is none. */
  readonly connection: number | null
  /** The very first attempt is still under way. */
  readonly beginning: boolean
  /** Calls a method about a case. False when the hub refuses, does not answer, or is away. */
  call(method: HubMethod, caseId: string): Promise<boolean>
  /** For good: nothing is told after that. */
  stop(): void
}

export interface HubListener {
  up(): void
  /** The connection is lost, or the very first attempt failed. */
  down(): void
  /** An event, with its one argument as it came. */
  sent(name: HubEventName, payload: unknown): void
}
