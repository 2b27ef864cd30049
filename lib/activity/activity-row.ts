import type { CommandView } from '#lib/commands/command.ts'

/** A line of the history: a change, or an entry of the audit trail. */
export interface ActivityRow extends Pick<CommandView, 'id' | 'kind' | 'title' | 'target' | 'actorName' | 'traceId'> {
  /** ISO 8601: of a change, when it was sent, or prepared where it never was. */
  readonly at: string
  /** Decimal text in BZD; null where it moves no money. */
  readonly amount: string | null
  /** How a change stands; null for an entry, which happened. */
  readonly outcome: CommandView['outcome'] | null
  /** What an entry says beside that, in a few words. */
  readonly told: string
}
