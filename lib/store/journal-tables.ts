import 'server-only'

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
