import 'server-only'
import type { Generated } from 'kysely'

/** A change whose author has asked others to approve it. Never altered. */
export interface ApprovalRequestTable {
  command_id: string
  /** In seconds since 1970 by the database's clock. */
  asked_at: number
  /** From then on it is not sent. */
  expires_at: number
  /** Why its author wants it. */
  reason: string
  /** How many people must approve it. */
  approvals: number
  /** JSON text: scopes that each of them must hold beside that of the change. */
  scopes: string
  /** Each of them must be there with a passkey; and must administer this console. */
  passkey: Generated<boolean>
  administers: Generated<boolean>
}

/** What one person decided about it. Never altered. */
export interface ApprovalTable {
  command_id: string
  /** `sso:` and the user id. */
  actor: string
  actor_name: string
  approves: boolean
  /** The digest of the effect that they decided about. */
  effect: string
  reason: string
  at: number
}
