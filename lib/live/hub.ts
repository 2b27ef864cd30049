import 'server-only'
import type { hubMethods } from '#lib/contract/dispute-hub.ts'
import type { HubEventName } from './hub-payload.ts'

export type HubMethod = (typeof hubMethods)[keyof typeof hubMethods]

/** One session's connection to the service's dispute hub. After a reconnect the hub has forgotten all joined cases. */
export interface Hub {
  /** A new number after every reconnect; null while disconnected. */
  readonly connection: number | null
  /** The first attempt is still running. */
  readonly beginning: boolean
  /** False if the hub refuses, does not answer, or is disconnected. */
  call(method: HubMethod, caseId: string): Promise<boolean>
  stop(): void
}

export interface HubListener {
  up(): void
  down(): void
  sent(name: HubEventName, payload: unknown): void
}
