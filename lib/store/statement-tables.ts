import 'server-only'
import type { Generated } from 'kysely'

export interface StatementTables {
  statement: {
    id: string
    owner: string
    owner_name: string
    file_name: string
    /** SHA-256: the same file is one statement. */
    digest: string
    format: string
    taken_at: string
    /** Lines without money received. */
    left_out: number
    /** JSON of the accounts of the file, with statement numbers and balances. */
    accounts: string
    /** One run at a time across processes. The lease ends by the database's clock. */
    work: 'look' | 'confirm' | null
    /** Also of the latest work when it has ended. For a confirmation run, the batch id of its commands. */
    work_token: string | null
    work_boot: string | null
    work_by: string | null
    /** This session's token reads the lines. */
    work_session: string | null
    /** Null for a confirmation run. */
    work_extent: 'unread' | 'all' | null
    work_until: number | null
    work_done: number
    work_total: number
    work_stop: boolean
    work_paused_until: string | null
    work_ended: string | null
    work_wants_code: boolean
    work_runs: number
    discarded_at: string | null
    discarded_by: string | null
  }
  statement_line: {
    statement_id: string
    number: number
    place: number
    reference: string
    amount: string
    currency: string
    bank_reference: string
    /** ISO 8601 dates, or as written. */
    booked_on: string
    value_date: Generated<string>
    /** The account that received the payment; empty if the file names none. */
    account: Generated<string>
    payer_name: Generated<string>
    payer_account: Generated<string>
    text: string
    fingerprint: string
    seen_statement: string | null
    seen_number: number | null
    /** Empty if none. `text`, `found`: accepted from the line, singly or with others. `payer`: by earlier payments. */
    sought: string
    sought_from: 'field' | 'text' | 'found' | 'payer' | 'hand'
    bank_used: string
    bank_key: string | null
    verdict: 'unread' | 'unknown' | 'mismatched' | 'ready'
    found_state: string | null
    found_debit: string | null
    found_credit: string | null
    problem: string | null
    looked_at: string | null
    looked_run: number | null
    note: string | null
    set_aside_reason: string | null
    set_aside_by: string | null
    /** That the money went back, in the words of its own file; empty if it did not. */
    returned: Generated<string>
    /** The later statement whose return set it aside, and the key of that return. */
    returned_statement: string | null
    returned_key: string | null
    /** Set before anything is sent. */
    command_id: string | null
    edit_id: string | null
    sought_edit_id: string | null
    bank_edit_id: string | null
  }
  /** A reference that the service knows; a person may accept it for the line. */
  statement_suggestion: {
    statement_id: string
    number: number
    reference: string
    /** `field`: the same apart from spaces or case. `payer`: a deposit to a wallet that the payer's account paid before. */
    found_in: 'field' | 'text' | 'payer'
    /** Every reference that the line may name was read. */
    is_whole: boolean
    state: string
    debit: string
    /** Of `payer` only: confirmed payments, and the day of the last. */
    paid_count: number | null
    paid_last: string | null
  }
  /** A deposit that a statement line confirmed. */
  payer_payment: {
    command_id: string
    /** Keyed hash of the payer's account. */
    payer: string
    /** User id of the recipient in lower case. */
    wallet: string
    /** Of the confirmation, for example 2026-11-14. */
    day: string
  }
  /** Money that left the account, kept for payments that are imported later. */
  statement_debit: {
    statement_id: string
    number: number
    money: string
    /** From `debitKey`. */
    key: string
    /** JSON. */
    debit: string
  }
  /** A table, kept so that its columns can be mapped again. */
  statement_file: {
    statement_id: string
    bytes: Uint8Array
  }
  statement_mapping: {
    owner: string
    columns_hash: string
    mapping: string
    used_at: string
  }
  /** Rows are never altered or removed. */
  entered_reference: {
    edit_id: string
    actor: string
    /** One of the two; the bank reference as its lock key. */
    reference: string | null
    bank_key: string | null
    /** The line's text names it exactly, and it was accepted together with others. */
    found: Generated<boolean>
  }
}
