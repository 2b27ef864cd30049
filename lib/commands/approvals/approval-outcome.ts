import 'server-only'
import type { Kysely } from 'kysely'
import type { ApprovalOutcome } from '#lib/commands/approvals/approval.ts'
import type { Outcome } from '#lib/commands/command.ts'
import type { CommandRow } from '#lib/commands/command-table.ts'
import type { Tables } from '#lib/store/tables.ts'
import { type Approval, type ApprovalRequest, approvalsOnRecord, findRequest, isApproved } from './approval-table.ts'

export const approvalExpired: Outcome = {
  class: 'refused',
  sent: false,
  title: 'The time for its approval is over',
  advice: 'Nothing was sent. Start it anew if it is still wanted.',
  problem: null,
}

export const approvalOutcome = (request: ApprovalRequest, approvals: readonly Approval[]): ApprovalOutcome => ({
  class: 'approval',
  reason: request.reason,
  needed: request.by,
  approvedBy: approvals
    .filter(({ approves }) => approves)
    .map(({ actor_name: name, reason, at }) => ({ name, reason, at: new Date(at * 1000).toISOString() })),
  expiresAt: request.expiresAt,
})

/** Covers approvals only: sending applies the policy again. */
export async function approvalState(
  db: Kysely<Tables>,
  row: CommandRow,
): Promise<{ readonly ready: boolean; readonly ended: Outcome | null }> {
  const request = await findRequest(db, row.id)
  if (request === null || request.expired) return { ready: false, ended: approvalExpired }
  return { ready: isApproved(row, request, request, await approvalsOnRecord(db, row.id, request)), ended: null }
}
