import 'server-only'
import type { Generated } from 'kysely'

/** Rows are never altered. */
export interface ApprovalRequestTable {
  command_id: string
  /** Seconds since 1970 by the database's clock. */
  asked_at: number
  expires_at: number
  reason: string
  /** Number of approvers. */
  approvals: number
  /** JSON text; required in addition to the scope of the change. */
  scopes: string
  passkey: Generated<boolean>
  administers: Generated<boolean>
}

/** Rows are never altered. */
export interface ApprovalTable {
  command_id: string
  /** `sso:` and the user id. */
  actor: string
  actor_name: string
  approves: boolean
  /** Digest of the approved effect. */
  effect: string
  reason: string
  at: number
}
