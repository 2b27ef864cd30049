import type { CommandView } from '#lib/commands/command.ts'

/** The approval that a draft needs before it can be sent. */
export interface DraftApproval {
  /** All that is asked for together, as a sentence. */
  readonly need: string
  /** The rules of the policy that ask for it, a sentence each; empty where the kind itself does. */
  readonly rules: readonly string[]
  /** Decimal text, in BZD; null where there is none. */
  readonly amount: string | null
  /** For how long it can be sent after it was asked for. */
  readonly hours: number
}

/** The change waits until others have approved it, and then for its author to send it. */
export interface ApprovalOutcome {
  readonly class: 'approval'
  /** Why its author wants it. */
  readonly reason: string
  /** How many people must approve it, and who has; ISO 8601. */
  readonly needed: number
  readonly approvedBy: readonly { readonly name: string; readonly at: string; readonly reason: string }[]
  /** ISO 8601: it is not sent after that. */
  readonly expiresAt: string
}

/** Changes that wait for approval, as one person has to do with them. */
export interface WaitingApprovals {
  /** Of others, that this person can decide about; the first one first. */
  readonly toDecide: readonly CommandView[]
  /** Of this person, whether approved yet or not. */
  readonly own: readonly CommandView[]
  /** Of this person, that others declined, or whose time ended, in the last 24 hours; the latest first. */
  readonly notApproved: readonly CommandView[]
}

/** Whether all have approved it who have to, so that its author can send it. */
export const isApprovedView = ({ outcome }: Pick<CommandView, 'outcome'>): boolean =>
  outcome.class === 'approval' && outcome.approvedBy.length >= outcome.needed

/** What waits, for the rail: ids of changes to decide about, and of a person's own that they can send. */
export interface WaitingNews {
  readonly toDecide: readonly string[]
  readonly approved: readonly string[]
  /** Their own that were declined, or whose time is over. */
  readonly notApproved: readonly string[]
  /** How many changes need attention, whoever made them. */
  readonly attention: number
}

/** Why somebody may not decide about a change: they made it, are a party of it, entered what it is made of, or lack a scope. */
export const notToDecide = ['author', 'party', 'entered', 'scope', 'unknown-person'] as const

export type NotToDecideWhy = (typeof notToDecide)[number]
