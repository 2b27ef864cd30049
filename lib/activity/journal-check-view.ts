/** What came of a check of the journal's chain. */
export interface JournalCheck {
  /** ISO 8601: when it ended. */
  readonly at: string
  readonly byName: string
  /** How many were read. */
  readonly events: number
  /** The MAC of the last one: a line `journal-end` of the log has it, too. */
  readonly end: string
  /** What is wrong, in the order of the journal; empty when it is whole. */
  readonly faults: readonly { readonly sequence: number; readonly what: string }[]
}
