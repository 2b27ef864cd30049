import 'server-only'

export interface CommandTable {
  id: string
  kind: string
  state: string
  actor: string
  actor_name: string
  /** JSON texts. Never a card number, code, password or token. */
  params: string
  facts: string
  outcome: string | null
  /** For a deposit, its reference. */
  target: string
  created_at: string
  sent_at: string | null
  settled_at: string | null
  boot_id: string
  /** Changes of one batch count as one act in the rate limit. */
  batch: string | null
  /** ISO 8601: until then the console checks for a late effect. */
  reconcile_until: string | null
  /** When an effect showed that had not shown before. */
  late_at: string | null
  /** When a change without effect stopped needing attention. */
  handled_at: string | null
  /** Of the service's answer. */
  trace_id: string | null
  method: 'sso' | 'password' | null
  /** The trace's first span, as in the header `traceparent`. */
  traceparent: string | null
  /** SHA-256 of the whole effect; null in rows of older builds. */
  effect: string | null
  /** The policy's version at the draft. */
  policy: string | null
  /** Policy input: decimal text, and `refund` or `release`. */
  amount: string | null
  decision: string | null
  /** When it was last sent: seconds since 1970 by the database's clock. */
  counted_at: number | null
}

export interface CommandEventTable {
  sequence: number
  command_id: string
  at: string
  state: string
  actor: string
  /** JSON text. */
  body: string
  previous_mac: string
  mac: string
}

/** One row, locked while an event is appended. */
export interface CommandChainTable {
  one: number
  sequence: number
  mac: string
}

/** At most one row. */
export interface JournalCheckTable {
  one: number
  at: string
  by_name: string
  events: number
  /** MAC of the last event. */
  end_mac: string
  /** JSON text. */
  faults: string
}

/** The database refuses to change a row, or to delete one younger than 400 days. */
export interface AuditEntryTable {
  id: string
  at: string
  kind: string
  /** `sso:` and the user id claim. */
  actor: string
  actor_name: string
  method: 'sso' | 'password' | null
  /** Empty if it concerns only the person. */
  about: string
  /** JSON text. Never a token, code, password or card number. */
  facts: string
}
