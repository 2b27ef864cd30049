export interface JournalCheck {
  /** ISO 8601: when the check ended. */
  readonly at: string
  readonly byName: string
  readonly events: number
  /** The MAC of the last event, also logged in `journal-end` lines. */
  readonly end: string
  /** In journal order; empty if the chain is intact. */
  readonly faults: readonly { readonly sequence: number; readonly what: string }[]
}
