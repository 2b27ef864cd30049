import type { CommandView } from '#lib/commands/command.ts'

export interface ActivityRow extends Pick<CommandView, 'id' | 'kind' | 'title' | 'target' | 'actorName' | 'traceId'> {
  /** ISO 8601: when sent, or when prepared if never sent. */
  readonly at: string
  /** Decimal text in BZD; null if no money moves. */
  readonly amount: string | null
  /** Null for an audit entry. */
  readonly outcome: CommandView['outcome'] | null
  readonly told: string
}
