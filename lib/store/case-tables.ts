import 'server-only'
import type { Generated, GeneratedAlways } from 'kysely'

interface CaseClaimTable {
  /** Lower case, as in all these tables. */
  case_id: string
  holder: string
  holder_name: string
  since: string
  command_id: string
}

/** Append-only. */
interface CaseNoteTable {
  id: string
  case_id: string
  author: string
  author_name: string
  text: string
  at: string
}

interface CaseMentionTable {
  note_id: string
  case_id: string
  actor: string
  name: string
  seen_at: string | null
}

interface CaseWatchTable {
  actor: string
  case_id: string
  command_id: string
  /** Empty: unassigned. */
  seen_holder: string
  /** Of others. */
  seen_notes: number
}

interface CaseViewerTable {
  stream_id: string
  case_id: string
  actor: string
  name: string
  ends_at: number
}

/** Seen here with the scope to decide cases. */
interface CaseCandidateTable {
  actor: string
  name: string
  known_at: string
}

interface AbsenceTable {
  actor: string
  /** A day of BUSINESS_ZONE: the first one back; empty if it was ended. */
  until: string
  command_id: string
}

interface CaseIndexTable {
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

interface CasePageTable {
  page: number
  read_at: string
  token: string
}

/** One row: one sweep runs for all processes. */
interface CaseSweepTable {
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

interface SnippetTable extends CaseCategoryTable {
  text: string
}

interface CaseDecisionTable {
  case_id: string
  category_id: string
  command_id: string
}

interface AnswerDeadlineTable {
  case_id: string
  until: string
  asked_at: string
  /** Order key: a party's later message answers. */
  after_key: string
  command_id: string
}

interface CaseSnoozeTable {
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
interface CaseCountTable {
  status: string
  /** Of the creation key, in UTC. */
  day: string
  count: number
}

/** Of the transaction that a case disputes, as last read. */
interface CaseAmountTable {
  reference: string
  /** BZD; null if the transaction could not be seen. */
  amount: string | null
  read_at: Date
}

export interface CaseTables {
  answer_deadline: AnswerDeadlineTable
  case_amount: CaseAmountTable
  case_category: CaseCategoryTable
  case_decision: CaseDecisionTable
  case_claim: CaseClaimTable
  case_note: CaseNoteTable
  case_mention: CaseMentionTable
  case_watch: CaseWatchTable
  case_viewer: CaseViewerTable
  case_candidate: CaseCandidateTable
  absence: AbsenceTable
  case_snooze: CaseSnoozeTable
  snippet: SnippetTable
  case_index: CaseIndexTable
  case_count: CaseCountTable
  case_page: CasePageTable
  case_sweep: CaseSweepTable
}
