import type { CommandView } from '#lib/commands/command.ts'

/** A change as far as a line of the history goes. */
export interface ChangeRow extends Pick<CommandView, 'id' | 'kind' | 'title' | 'target' | 'actorName' | 'traceId'> {
  /** ISO 8601: when it was sent; when it was prepared, where it never was. */
  readonly at: string
  /** Decimal text in BZD; null where it moves no money. */
  readonly amount: string | null
  readonly outcome: CommandView['outcome']
}
