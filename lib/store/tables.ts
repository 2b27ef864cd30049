import 'server-only'

import type { Generated, GeneratedAlways, Transaction } from 'kysely'
import type { ApprovalRequestTable, ApprovalTable } from './approval-tables.ts'
import type { CaseTables } from './case-tables.ts'
import type {
  AuditEntryTable,
  CommandChainTable,
  CommandEventTable,
  CommandTable,
  JournalCheckTable,
} from './journal-tables.ts'
import type { PasskeyAssertionTable, PasskeyChallengeTable, PasskeyTable } from './passkey-tables.ts'
import type { SavedViewTable } from './saved-view-table.ts'
import type {
  EnteredReferenceTable,
  StatementLineTable,
  StatementMappingTable,
  StatementSuggestionTable,
  StatementTable,
} from './statement-tables.ts'
import type { ThreadTables } from './thread-tables.ts'

/** Inside a transaction, use only this handle: PGlite has one connection. */
export type Trx = Transaction<Tables>

/** Times are ISO 8601 text in UTC with milliseconds, which sorts as text on both engines. */
interface SessionTable {
  id: string
  /** The tokens, encrypted with the session's data key. */
  box: string
  /** Increases with every refresh, which shows waiting requests that it is done. */
  token_serial: number
  access_received_at: string
  access_ends_at: string
  /** The process that refreshes now, and how long the others wait. */
  lease_by: string | null
  lease_ends_at: string | null
  /** `sso:` and the user id claim. */
  actor: string
  display_name: string
  user_id: string
  /** The rule that admitted the person; the session ends when it changes. */
  admitted_by: string
  method: 'sso' | 'password'
  created_at: string
  /** The absolute end. */
  ends_at: string
  /** The last keyboard or pointer input that the browser reported. */
  last_active_at: string
  /** Truncated. */
  user_agent: string
  /** From the proxy's header; null without a proxy. Deleted with the session. */
  address: string | null
  /** The claim that makes the person an administrator, with a MAC; null if none. */
  admin_rule: string | null
  /** The provider's session and subject, for its logout requests. */
  idp_sid: string | null
  idp_subject: string | null
}

/** Encrypted tokens of an ended session, kept for minutes until a process revokes them. */
interface EndedTokenTable {
  session_id: string
  box: string
  kept_until: string
}

/** Why another person ended the session, for the browser that still has its handle. */
interface EndedHandleTable {
  id_hash: string
  why: string
  kept_until: string
}

interface SessionHandleTable {
  /** SHA-256 of the handle's id half, base64url. Only the cookie has the handle. */
  id_hash: string
  session_id: string
  /** The session's data key, encrypted with a key derived from SESSION_KEY and the handle's secret half. */
  wrapped_key: string
  key_version: number
  /** Set when the handle is replaced: it is valid until then. */
  answers_until: string | null
}

/** Seconds since 1970 by the database's clock. */
interface ConsoleProcessTable {
  boot_id: string
  beat_at: number
}

/** At most one open command per key. `for_ever` keys outlive a command that took effect. */
interface CommandLockTable {
  key: string
  command_id: string
  for_ever: boolean
  /** The lender, which gets the key back if this command has no effect. */
  back_to: string | null
}

interface KnownAccountTable {
  /** SHA-256 of the account in lower case, hexadecimal. */
  account_hash: string
  actor: string
  actor_name: string
  last_at: string
}

interface TotpDigitsTable {
  actor: string
  digits: number
  /** By the service's clock; null until confirmed. */
  enrolled_at: string | null
}

interface CodeAttemptTable {
  actor: string
  at: string
}

interface TextDraftTable {
  owner: string
  /** For example `deposit:` and the reference. */
  place: string
  text: string
  updated_at: string
  /** Orders concurrent writes of one page. */
  write_page: Generated<string>
  write_number: Generated<number>
}

/** Processed logout tokens, each accepted once. */
interface LogoutTokenTable {
  jti: string
  kept_until: string
}

interface PreferenceTable {
  actor: string
  /** JSON text. */
  body: string
}

/** Never contains the card number. */
interface IssuedCardTable {
  id: string
  last4: string
  user_id: string
  card_type: number
  card_type_name: string
  printed_name: string
  issuer: string
  issuer_name: string
  issued_at: string
  command_id: string
  /** `issued`: from the service's answer. `registered`: entered manually. */
  came: 'issued' | 'registered'
  recorded_by: string
  recorded_at: string
  /** When and how this console learned that it is blocked. */
  blocked_at: string | null
  blocked_by: string | null
  block_reason: string | null
}

interface CardTypeSeenTable {
  card_type: number
  name: string
}

interface RecentThingTable {
  actor: string
  kind: string
  id: string
  /** Never an amount or a wallet holder's text. */
  label: string
  shown_at: string
  pinned_at: string | null
}

/** The service's clock if known. */
interface StateSeenTable {
  reference: string
  state: string
  first_seen_at: string
  /** From the service; null if not given. */
  since: string | null
  seen_order: GeneratedAlways<number>
}

/** Triggers write these rows. */
interface NewsTable {
  id: GeneratedAlways<number>
  /** The transaction that made the change. */
  xact: Generated<number>
  /** For example `command:` and its id. */
  key: string
  /** Seconds since 1970 by the database's clock. */
  at: Generated<number>
}

export interface Tables extends CaseTables, ThreadTables {
  news: NewsTable
  session: SessionTable
  session_handle: SessionHandleTable
  ended_token: EndedTokenTable
  ended_handle: EndedHandleTable
  command: CommandTable
  command_event: CommandEventTable
  command_chain: CommandChainTable
  command_lock: CommandLockTable
  approval_request: ApprovalRequestTable
  approval: ApprovalTable
  entered_reference: EnteredReferenceTable
  passkey: PasskeyTable
  passkey_challenge: PasskeyChallengeTable
  passkey_assertion: PasskeyAssertionTable
  journal_check: JournalCheckTable
  audit_entry: AuditEntryTable
  known_account: KnownAccountTable
  totp_digits: TotpDigitsTable
  code_attempt: CodeAttemptTable
  console_process: ConsoleProcessTable
  issued_card: IssuedCardTable
  card_type_seen: CardTypeSeenTable
  recent_thing: RecentThingTable
  preference: PreferenceTable
  saved_view: SavedViewTable
  state_seen: StateSeenTable
  logout_token: LogoutTokenTable
  text_draft: TextDraftTable
  statement: StatementTable
  statement_line: StatementLineTable
  statement_mapping: StatementMappingTable
  statement_suggestion: StatementSuggestionTable
}
