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
  target: string
  created_at: string
  sent_at: string | null
  settled_at: string | null
  boot_id: string
  /** One batch counts as one act in the rate limit. */
  batch: string | null
  /** Until then the console checks for a late effect. */
  reconcile_until: string | null
  late_at: string | null
  handled_at: string | null
  trace_id: string | null
  method: 'sso' | 'password' | null
  traceparent: string | null
  /** SHA-256; null in rows of older builds. */
  effect: string | null
  policy: string | null
  /** Policy input: decimal text, and `refund` or `release`. */
  amount: string | null
  decision: string | null
  counted_at: number | null
}

export interface CommandEventTable {
  sequence: number
  command_id: string
  at: string
  state: string
  actor: string
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

export interface JournalCheckTable {
  one: number
  at: string
  by_name: string
  events: number
  end_mac: string
  faults: string
}

/** The database refuses to change a row, or to delete one younger than 400 days. */
export interface AuditEntryTable {
  id: string
  at: string
  kind: string
  actor: string
  actor_name: string
  method: 'sso' | 'password' | null
  about: string
  /** Never a token, code, password or card number. */
  facts: string
}
