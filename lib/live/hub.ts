import 'server-only'
import type { hubMethods } from '#lib/contract/disputes.ts'
import type { HubEventName } from './hub-payload.ts'

export type HubMethod = (typeof hubMethods)[keyof typeof hubMethods]

/** After a reconnect, the hub has forgotten all joined cases. */
export interface Hub {
  /** A new number after every reconnect. */
  readonly connection: number | null
  readonly beginning: boolean
  /** False if the hub refuses or does not answer. */
  call(method: HubMethod, caseId: string): Promise<boolean>
  stop(): void
}

export interface HubListener {
  up(): void
  down(): void
  sent(name: HubEventName, payload: unknown): void
}
