import type { DisputeEvents } from '#sandbox/disputes/events.ts'
import type { TokenUsers } from '#sandbox/identity/users.ts'
import type { SeedName } from '#sandbox/seed/seed-name.ts'
import type { LedgerClock } from './clock.ts'
import type { Db } from './tables.ts'

export interface World {
  readonly db: Db
  readonly clock: LedgerClock
  readonly seed: SeedName
  readonly tokenUsers: TokenUsers
  /** Milliseconds since 1970, by the machine's clock. Tokens, locks and codes use it, never the ledger's clock. */
  wallMilliseconds(): number
  readonly disputeEvents: DisputeEvents
  readonly baseUrl: string
}
