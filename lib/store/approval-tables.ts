import 'server-only'
import type { Generated } from 'kysely'

export interface ApprovalRequestTable {
  command_id: string
  asked_at: number
  expires_at: number
  reason: string
  approvals: number
  scopes: string
  passkey: Generated<boolean>
  administers: Generated<boolean>
}

export interface ApprovalTable {
  command_id: string
  actor: string
  actor_name: string
  approves: boolean
  effect: string
  reason: string
  at: number
}
