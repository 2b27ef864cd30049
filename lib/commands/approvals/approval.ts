import type { CommandView } from '#lib/commands/command.ts'

export interface DraftApproval {
  readonly need: string
  /** One sentence per policy rule; empty where the kind itself requires the approval. */
  readonly rules: readonly string[]
  /** Decimal text in BZD; null if the change has no amount. */
  readonly amount: string | null
  /** Hours from the request until it expires. */
  readonly hours: number
}

/** Others must approve the change first, then its author sends it. */
export interface ApprovalOutcome {
  readonly class: 'approval'
  readonly reason: string
  /** `approvedBy.at` is ISO 8601. */
  readonly needed: number
  readonly approvedBy: readonly { readonly name: string; readonly at: string; readonly reason: string }[]
  /** ISO 8601; the change is not sent after this time. */
  readonly expiresAt: string
}

export interface WaitingApprovals {
  /** Changes of others that this person can decide about, oldest first. */
  readonly toDecide: readonly CommandView[]
  /** Changes of this person, approved or not. */
  readonly own: readonly CommandView[]
  /** Changes of this person that others declined or that expired in the last 24 hours, latest first. */
  readonly notApproved: readonly CommandView[]
}

export const isApprovedView = ({ outcome }: Pick<CommandView, 'outcome'>): boolean =>
  outcome.class === 'approval' && outcome.approvedBy.length >= outcome.needed

/** Command ids for the navigation rail. */
export interface WaitingNews {
  readonly toDecide: readonly string[]
  readonly approved: readonly string[]
  readonly notApproved: readonly string[]
  /** Changes of all authors. */
  readonly attention: number
}

/**
 * Why a person may not decide: they are the author, are a party, entered the data, lack a scope, or have no known user
 * id.
 */
export const notToDecide = ['author', 'party', 'entered', 'scope', 'unknown-person'] as const

export type NotToDecideWhy = (typeof notToDecide)[number]
