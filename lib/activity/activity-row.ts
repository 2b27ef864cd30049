import type { CommandView } from '#lib/commands/command.ts'

/** A change or an audit entry. */
export interface ActivityRow extends Pick<CommandView, 'id' | 'kind' | 'title' | 'target' | 'actorName' | 'traceId'> {
  /** ISO 8601: when a change was sent, or prepared if it was never sent. */
  readonly at: string
  /** Decimal text in BZD; null if no money moves. */
  readonly amount: string | null
  /** Null for an audit entry. */
  readonly outcome: CommandView['outcome'] | null
  /** A short detail of an audit entry. */
  readonly told: string
}
