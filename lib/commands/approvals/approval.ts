import type { CommandView } from '#lib/commands/command.ts'

export interface DraftApproval {
  readonly need: string
  readonly rules: readonly string[]
  /** Decimal text in BZD. */
  readonly amount: string | null
  readonly hours: number
}

export interface ApprovalOutcome {
  readonly class: 'approval'
  readonly reason: string
  readonly needed: number
  readonly approvedBy: readonly { readonly name: string; readonly at: string; readonly reason: string }[]
  /** ISO 8601; not sent afterwards. */
  readonly expiresAt: string
}

export interface WaitingApprovals {
  readonly toDecide: readonly CommandView[]
  readonly own: readonly CommandView[]
  /** Declined or expired in the last 24 hours. */
  readonly notApproved: readonly CommandView[]
}

export const isApprovedView = ({ outcome }: Pick<CommandView, 'outcome'>): boolean =>
  outcome.class === 'approval' && outcome.approvedBy.length >= outcome.needed

export interface WaitingNews {
  readonly toDecide: readonly string[]
  readonly approved: readonly string[]
  readonly notApproved: readonly string[]
  readonly attention: number
}

/** `party`: gains or loses by it. `entered`: entered its data. `unknown-person`: has no known user id. */
export const notToDecide = ['author', 'party', 'entered', 'scope', 'unknown-person'] as const

export type NotToDecideWhy = (typeof notToDecide)[number]
