import type { Selectable } from 'kysely'
import type { Tables } from '#sandbox/world/tables.ts'

export type CaseRow = Selectable<Tables['dispute_case']>
export type MessageRow = Selectable<Tables['dispute_message']>

export const caseBody = (row: CaseRow) => ({
  id: row.id,
  referenceId: row.reference_id,
  raisedByUserId: row.raised_by_user_id,
  counterpartyUserId: row.counterparty_user_id,
  status: row.status,
  reason: row.reason,
  resolutionOutcome: row.resolution_outcome,
  resolutionReason: row.resolution_reason,
  resolvedByUserId: row.resolved_by_user_id,
  createdAt: row.created_at,
  resolvedAt: row.resolved_at,
})

export const messageBody = (row: MessageRow) => ({
  id: row.id,
  disputeCaseId: row.case_id,
  senderUserId: row.sender_user_id,
  isSystemMessage: row.sender_user_id === null,
  body: row.body,
  createdAt: row.created_at,
})
