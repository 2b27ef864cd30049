import 'server-only'

/** A change that the console makes, from its draft to its end. */
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
  /** What the command is about, for lists: for a deposit its reference. */
  target: string
  created_at: string
  sent_at: string | null
  settled_at: string | null
  boot_id: string
  /** Those of one batch are one act of the person: a statement with a thousand lines is not a flood. */
  batch: string | null
  /** Its effect did not show; it is looked at until then (ISO 8601), in case it shows later. */
  reconcile_until: string | null
  /** When an effect showed that had not shown before. */
  late_at: string | null
  /** When one without an effect stopped needing attention: by a person, or because it was made again and took effect. */
  handled_at: string | null
  /** Of the service's answer to it, where that had one. */
  trace_id: string | null
  /** How its author had signed in; null where that was not written down. */
  method: 'sso' | 'password' | null
  /** The span that its trace begins with, as the header `traceparent`; null where no traces were made. */
  traceparent: string | null
  /** SHA-256 of its whole effect; null where a build before this wrote it. */
  effect: string | null
  /** The version of the policy that it was made under; null where there was none. */
  policy: string | null
  /** What rules of the policy judge it by: decimal text, and `refund` or `release`. */
  amount: string | null
  decision: string | null
  /** When it was last sent, in seconds since 1970 by the database's clock. */
  counted_at: number | null
}

/** One change of a command’s state. */
export interface CommandEventTable {
  sequence: number
  command_id: string
  at: string
  state: string
  actor: string
  /** JSON text: kind, target, params, facts, status, code, trace id, times, process. */
  body: string
  previous_mac: string
  mac: string
}

/** The end of the chain of events: one row, locked while an event is appended. */
export interface CommandChainTable {
  one: number
  sequence: number
  mac: string
}

/** What came of the latest check of the chain: one row, once there was one. */
export interface JournalCheckTable {
  one: number
  at: string
  by_name: string
  events: number
  /** The MAC of the last event. */
  end_mac: string
  /** JSON text. */
  faults: string
}

/** What a person did beside changes. The database refuses to change a row, and to delete one that is younger than 400 days. */
export interface AuditEntryTable {
  id: string
  at: string
  kind: string
  /** Who did it, or was refused: `sso:` and the user id claim. */
  actor: string
  actor_name: string
  /** How they had signed in, or tried to; null where that is not known. */
  method: 'sso' | 'password' | null
  /** The id of what it is about; empty where it is about nothing but the person. */
  about: string
  /** JSON text. Never a token, code, password or card number. */
  facts: string
}
