import 'server-only'

/** A bank statement that was taken in, and the work that goes on with it, if any. */
export interface StatementTable {
  id: string
  owner: string
  owner_name: string
  file_name: string
  /** SHA-256 of the file, hexadecimal: the same file is one statement. */
  digest: string
  format: string
  taken_at: string
  /** Lines of the file that show no money received. */
  left_out: number
  /** Work under way: at most one at a time, across processes. The lease ends by the database's clock. */
  work: 'look' | 'confirm' | null
  work_token: string | null
  work_boot: string | null
  work_by: string | null
  /** With whose right to read lines are looked up, and which ones; null for other work. */
  work_session: string | null
  work_extent: 'unread' | 'all' | null
  work_until: number | null
  work_done: number
  work_total: number
  /** Somebody asked it to stop after the line it is at. */
  work_stop: boolean
  /** Until when it waits after a 429 (ISO 8601). */
  work_paused_until: string | null
  /** How the latest work ended, in words. */
  work_ended: string | null
  /** It ended for want of a code: whoever gives one can go on. */
  work_wants_code: boolean
  /** How often work was begun. */
  work_runs: number
  /** When and by whom it was discarded; it is erased some minutes later. Null while it is here. */
  discarded_at: string | null
  discarded_by: string | null
}

export interface StatementLineTable {
  statement_id: string
  /** From 1, in the order of the file. */
  number: number
  /** Where it stands in the file. */
  place: number
  reference: string
  amount: string
  currency: string
  bank_reference: string
  booked_on: string
  text: string
  /** Of everything that tells a payment from another one, to recognise it in another statement. */
  fingerprint: string
  /** The first other statement that has a line like this one. */
  seen_statement: string | null
  seen_number: number | null
  /**
   * The reference that is looked up, and where it comes from; empty while there is none. `text`: found in the line's own
   * text, and accepted by a person.
   */
  sought: string
  sought_from: 'field' | 'text' | 'hand'
  /** The bank reference that confirms it: the line's, or entered by hand. */
  bank_used: string
  /** The lock that a confirmation takes on it; null when there is no bank reference to use. */
  bank_key: string | null
  /** What the latest look came to. */
  verdict: 'unread' | 'unknown' | 'mismatched' | 'ready'
  /** As the service gave them; null when nothing was found. */
  found_state: string | null
  found_debit: string | null
  found_credit: string | null
  /** JSON text of the problem that a look came to. */
  problem: string | null
  looked_at: string | null
  /** The run that looked it up; null when none did since runs are told apart. */
  looked_run: number | null
  /** Why it could not be confirmed though it was ready. */
  note: string | null
  set_aside_reason: string | null
  /** Null where the console itself set it aside. */
  set_aside_by: string | null
  /** What confirms it: set before anything is sent. */
  command_id: string | null
  /** The journal's entry of the latest edit by a person, and of those that entered the reference and the bank's. */
  edit_id: string | null
  sought_edit_id: string | null
  bank_edit_id: string | null
}

/** A reference that stands in the text of a line and that the service answered for: a person accepts it, or not. */
export interface StatementSuggestionTable {
  statement_id: string
  number: number
  reference: string
  /** `field`: the reference field has it with other spaces or in another case. */
  found_in: 'field' | 'text'
  /** As the service gave them when it was found. */
  state: string
  debit: string
}

/** Which column of a table of a bank carries what; once for everyone of the same columns. */
export interface StatementMappingTable {
  owner: string
  columns_hash: string
  /** JSON text. */
  mapping: string
  used_at: string
}

/** A reference, or a bank's reference, that somebody entered at a line of a statement, or accepted. Never altered, never removed. */
export interface EnteredReferenceTable {
  /** The journal's entry of the edit. */
  edit_id: string
  actor: string
  /** Of the two, that which was entered; the bank's as the lock that a confirmation takes on it. */
  reference: string | null
  bank_key: string | null
}
