import 'server-only'
import type { Generated, GeneratedAlways } from 'kysely'

/** The team's list of categories; a retired one is removed. */
interface CaseCategoryTable {
  id: string
  name: string
  /** Normalized; unique, for snippets among those that are not removed. */
  name_key: string
  changed_by: string
  changed_by_name: string
  changed_at: string
  removed_at: string | null
}

export interface CaseTables {
  case_category: CaseCategoryTable
  snippet: CaseCategoryTable & { text: string }
  case_claim: {
    /** Lower case, as in all these tables. */
    case_id: string
    holder: string
    holder_name: string
    since: string
    command_id: string
  }
  /** Append-only. */
  case_note: {
    id: string
    case_id: string
    author: string
    author_name: string
    text: string
    at: string
  }
  case_mention: {
    note_id: string
    case_id: string
    actor: string
    name: string
    seen_at: string | null
  }
  case_watch: {
    actor: string
    case_id: string
    command_id: string
    /** Empty: unassigned. */
    seen_holder: string
    /** Of others. */
    seen_notes: number
  }
  case_viewer: {
    stream_id: string
    case_id: string
    actor: string
    name: string
    ends_at: number
  }
  /** Seen here with the scope to decide cases. */
  case_candidate: {
    actor: string
    name: string
    known_at: string
  }
  absence: {
    actor: string
    /** A day of BUSINESS_ZONE: the first one back; empty if it was ended. */
    until: string
    command_id: string
  }
  case_index: {
    id_key: string
    arrival: GeneratedAlways<number>
    id: string
    reference: string
    raised_by: string
    counterparty: string
    status: string
    /** Truncated. */
    reason: string
    created_at: string
    created_key: string
    resolved_at: string | null
    resolved_key: string
    outcome: string | null
    seen_at: string
  }
  case_page: {
    page: number
    read_at: string
    token: string
  }
  /** One row: one sweep runs for all processes. */
  case_sweep: {
    one: number
    token: string | null
    boot: string | null
    lease_until: number | null
    total: number | null
    began_at: string | null
    ended_at: string | null
    shortfall: 'moved' | 'problem' | null
    problem: string | null
    complete_at: string | null
    unreadable: number
  }
  case_decision: {
    case_id: string
    category_id: string
    command_id: string
  }
  answer_deadline: {
    case_id: string
    until: string
    asked_at: string
    /** Order key: a party's later message answers. */
    after_key: string
    command_id: string
  }
  case_snooze: {
    case_id: string
    /** Null in old rows: until a party writes. */
    until: string | null
    /** Number of parties' messages when it was snoozed. */
    messages: number
    command_id: string
    /** The deadline of an answer, if any. */
    wake_at: Generated<string | null>
  }
  /** Written by triggers of `case_index`. */
  case_count: {
    status: string
    /** Of the creation key, in UTC. */
    day: string
    count: number
  }
  /** Of the transaction that a case disputes, as last read. */
  case_amount: {
    reference: string
    /** BZD; null if the transaction could not be seen. */
    amount: string | null
    read_at: Date
  }
}
