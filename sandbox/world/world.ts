import type { Opened } from '#lib/database/open.ts'
import type { DisputeEvents } from '#sandbox/disputes/events.ts'
import type { TokenUsers } from '#sandbox/identity/users.ts'
import type { SeedName } from '#sandbox/seed/seed-name.ts'
import type { LedgerClock } from './clock.ts'
import type { Randomness } from './random.ts'
import type { Tables } from './tables.ts'

/** What every operation of the sandbox works on. */
export interface World {
  readonly opened: Opened<Tables>
  readonly db: Opened<Tables>['db']
  readonly clock: LedgerClock
  /** What a reset goes back to. */
  readonly seed: SeedName
  readonly random: Randomness
  readonly tokenUsers: TokenUsers
  /** Milliseconds by the machine's clock: tokens, locks and codes live by it, never by the ledger's clock. */
  wallMilliseconds(): number
  /** What happens to dispute cases, for the hub. */
  readonly disputeEvents: DisputeEvents
  /** This service's own address, for example `http://localhost:4010`. */
  readonly baseUrl: string
}
