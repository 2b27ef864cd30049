import 'server-only'

export interface StatementTable {
  id: string
  owner: string
  owner_name: string
  file_name: string
  /** SHA-256 in hexadecimal: the same file is one statement. */
  digest: string
  format: string
  taken_at: string
  /** Lines of the file without money received. */
  left_out: number
  /** At most one run at a time across processes. The lease ends by the database's clock. */
  work: 'look' | 'confirm' | null
  work_token: string | null
  work_boot: string | null
  work_by: string | null
  /** The session whose token reads the lines; null for other work. */
  work_session: string | null
  work_extent: 'unread' | 'all' | null
  work_until: number | null
  work_done: number
  work_total: number
  /** A person asked it to stop after the present line. */
  work_stop: boolean
  /** ISO 8601; after a 429. */
  work_paused_until: string | null
  work_ended: string | null
  /** It ended for lack of a code. */
  work_wants_code: boolean
  work_runs: number
  /** Erased some minutes later. */
  discarded_at: string | null
  discarded_by: string | null
}

export interface StatementLineTable {
  statement_id: string
  /** From 1, in file order. */
  number: number
  place: number
  reference: string
  amount: string
  currency: string
  bank_reference: string
  booked_on: string
  text: string
  /** Identifies the same payment in another statement. */
  fingerprint: string
  /** The first other statement with this line. */
  seen_statement: string | null
  seen_number: number | null
  /** The reference to look up; empty if none. `text`: found in the line's text and accepted by a person. */
  sought: string
  sought_from: 'field' | 'text' | 'hand'
  /** From the line, or entered manually. */
  bank_used: string
  /** The lock key of a confirmation; null without a bank reference. */
  bank_key: string | null
  verdict: 'unread' | 'unknown' | 'mismatched' | 'ready'
  /** As the service returned them. */
  found_state: string | null
  found_debit: string | null
  found_credit: string | null
  /** JSON text. */
  problem: string | null
  looked_at: string | null
  /** The run that looked it up; null for older runs. */
  looked_run: number | null
  /** Why a ready line could not be confirmed. */
  note: string | null
  set_aside_reason: string | null
  /** Null if the console set it aside. */
  set_aside_by: string | null
  /** Set before anything is sent. */
  command_id: string | null
  /** Journal entries of the latest edit, and of those that entered each reference. */
  edit_id: string | null
  sought_edit_id: string | null
  bank_edit_id: string | null
}

/** A reference in the line's text that the service knows. A person accepts it or not. */
export interface StatementSuggestionTable {
  statement_id: string
  number: number
  reference: string
  /** `field`: the reference field, apart from spaces or case. */
  found_in: 'field' | 'text'
  state: string
  debit: string
}

/** Maps a bank's columns, shared by everyone. */
export interface StatementMappingTable {
  owner: string
  columns_hash: string
  /** JSON text. */
  mapping: string
  used_at: string
}

/** Rows are never altered or removed. */
export interface EnteredReferenceTable {
  edit_id: string
  actor: string
  /** One of the two is set; the bank's as its lock key. */
  reference: string | null
  bank_key: string | null
}
