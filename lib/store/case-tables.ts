import 'server-only'
import type { GeneratedAlways } from 'kysely'

/** Who works on a dispute case: the console's own record, of which the service knows nothing. */
interface CaseClaimTable {
  /** In small letters, as everywhere in these tables. */
  case_id: string
  /** The actor, as the journal writes it. */
  holder: string
  holder_name: string
  since: string
  /** The command by which they have it. */
  command_id: string
}

/** What staff wrote for staff; append-only. */
interface CaseNoteTable {
  /** The command that added it. */
  id: string
  case_id: string
  author: string
  author_name: string
  text: string
  at: string
}

/** A tab in which somebody has a case open. */
interface CaseViewerTable {
  stream_id: string
  case_id: string
  actor: string
  name: string
  /** When the row counts no longer unless it is renewed; in seconds since 1970 by the database's clock. */
  ends_at: number
}

/** Somebody who can be given a case: seen here with the scope to decide it. */
interface CaseCandidateTable {
  actor: string
  name: string
  /** ISO 8601. */
  known_at: string
}

/** A dispute case as a list of the service told it last: a cache of what everybody's list holds. */
interface CaseIndexTable {
  /** The id in small letters. */
  id_key: string
  /** Goes up with each case that is new here. */
  arrival: GeneratedAlways<number>
  id: string
  reference: string
  raised_by: string
  counterparty: string
  status: string
  /** Its beginning. */
  reason: string
  created_at: string
  /** With all seven digits, so that it sorts as text; of a case that is not resolved as of no time. */
  created_key: string
  resolved_at: string | null
  resolved_key: string
  /** As the service wrote it. */
  outcome: string | null
  /** When it was read (ISO 8601). */
  seen_at: string
}

/** A page of the service's list of all cases, as it was read last. */
interface CasePageTable {
  page: number
  read_at: string
  /** The sweep that read it. */
  token: string
}

/** The one sweep that runs for all processes, and what came of the ones before: one row. */
interface CaseSweepTable {
  one: number
  /** Names the sweep that is under way; null while none is. */
  token: string | null
  boot: string | null
  /** In seconds since 1970 by the database's clock. */
  lease_until: number | null
  /** Cases, as the service told last. */
  total: number | null
  began_at: string | null
  ended_at: string | null
  /** Why the latest that ended is not complete; null when it is. */
  shortfall: 'moved' | 'problem' | null
  /** JSON text. */
  problem: string | null
  /** When the latest complete one ended, and how many rows it could not read. */
  complete_at: string | null
  unreadable: number
}

/** A text that staff share for messages, notes and reasons. */
interface SnippetTable {
  id: string
  name: string
  /** By which two names are the same; one at most of those that are not removed has it. */
  name_key: string
  text: string
  changed_by: string
  changed_by_name: string
  changed_at: string
  /** Null while it is there. */
  removed_at: string | null
}

/** A case that its assignee has put off. */
interface CaseSnoozeTable {
  case_id: string
  /** ISO 8601; null until one of its parties writes. */
  until: string | null
  /** How many messages its parties had written when it was snoozed. */
  messages: number
  command_id: string
}

/** What the console itself keeps on cases, and for those who work on them. */
export interface CaseTables {
  case_claim: CaseClaimTable
  case_note: CaseNoteTable
  case_viewer: CaseViewerTable
  case_candidate: CaseCandidateTable
  case_snooze: CaseSnoozeTable
  snippet: SnippetTable
  case_index: CaseIndexTable
  case_page: CasePageTable
  case_sweep: CaseSweepTable
}
