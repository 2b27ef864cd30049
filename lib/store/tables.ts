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

/** A Kysely handle that is inside a transaction: the only one to use there (PGlite has one connection). */
export type Trx = Transaction<Tables>

/** Times are ISO 8601 text in UTC with milliseconds: they sort as text, and read alike from both engines. */
interface SessionTable {
  id: string
  /** The token pair, sealed with the session's own data key. */
  box: string
  /** Goes up with every refresh, so that whoever waits for one sees that it is done. */
  token_serial: number
  access_received_at: string
  access_ends_at: string
  /** Which process refreshes right now, and until when the others wait for it. */
  lease_by: string | null
  lease_ends_at: string | null
  /** Who acts: `sso:` and the user id claim. */
  actor: string
  display_name: string
  /** The service's user id. */
  user_id: string
  /** The rule that let the person in, as text: a session ends when it is no longer the one that holds. */
  admitted_by: string
  method: 'sso' | 'password'
  created_at: string
  /** The absolute end. */
  ends_at: string
  /** When a key or a pointer was last used, as the browser told; at first, when the session began. */
  last_active_at: string
  /** Of the browser that signed in, cut to a bounded length. */
  user_agent: string
  /** Where it signed in from, as our own proxy told; null where none does. Gone with the session. */
  address: string | null
  /** The claim that makes its person an administrator, as text with a MAC; null where none does. */
  admin_rule: string | null
  /** The identity provider's own session and subject, by which it ends sessions here; null where it gave none. */
  idp_sid: string | null
  idp_subject: string | null
}

/** The sealed tokens of a session that has ended, until a process that can open them has them revoked; minutes at most. */
interface EndedTokenTable {
  session_id: string
  box: string
  kept_until: string
}

/** Of a session that somebody else ended: what its browser is told, by the handle that it still has. */
interface EndedHandleTable {
  /** As in {@link SessionHandleTable}. */
  id_hash: string
  why: string
  kept_until: string
}

interface SessionHandleTable {
  /** SHA-256 of the handle's id half, base64url. The handle itself is nowhere but in the cookie. */
  id_hash: string
  session_id: string
  /** The session's data key, sealed with a key that takes SESSION_KEY and the handle's secret half to derive. */
  wrapped_key: string
  key_version: number
  /** Set when another handle took its place: until then it still answers. */
  answers_until: string | null
}

/** A console process and its latest sign of life, in seconds since 1970 by the database's clock. */
interface ConsoleProcessTable {
  boot_id: string
  beat_at: number
}

/** Who holds what: at most one open command per key; `for_ever` stays when the command is done. */
interface CommandLockTable {
  key: string
  command_id: string
  for_ever: boolean
  /** Whose key it is again if this command has no effect. */
  back_to: string | null
}

/** An account whose person was let in here. */
interface KnownAccountTable {
  /** SHA-256 of the account in small letters, in hexadecimal. */
  account_hash: string
  actor: string
  actor_name: string
  last_at: string
}

/** How many digits the codes of a person's authenticator have, as the key that was made here says. */
interface TotpDigitsTable {
  actor: string
  digits: number
  /** Since when this key is in use, as the service tells; null until it is confirmed. */
  enrolled_at: string | null
}

/** A code that a person gave to be checked. */
interface CodeAttemptTable {
  actor: string
  at: string
}

/** What a person has typed and not sent. */
interface TextDraftTable {
  /** The actor who typed it. */
  owner: string
  /** Which field of what: `deposit:` and the reference. */
  place: string
  text: string
  updated_at: string
  /** The page that wrote it, and the number of the write there: of two that overtake each other the later one stays. */
  write_page: Generated<string>
  write_number: Generated<number>
}

/** The identity provider's logout tokens that were obeyed, so that none counts twice. */
interface LogoutTokenTable {
  jti: string
  kept_until: string
}

interface PreferenceTable {
  actor: string
  /** JSON text. */
  body: string
}

/** A card that this console issued, or that came of an issue whose answer was lost. Never its number. */
interface IssuedCardTable {
  id: string
  last4: string
  /** The holder. */
  user_id: string
  card_type: number
  /** Empty where the service's name for it is not known. */
  card_type_name: string
  printed_name: string
  issuer: string
  issuer_name: string
  issued_at: string
  /** The command that issued it. */
  command_id: string
  /** `issued`: from the service's answer. `registered`: by hand, from what the holder read out. */
  came: 'issued' | 'registered'
  recorded_by: string
  recorded_at: string
  /** When this console learned that it is blocked, by whose doing here, and why. */
  blocked_at: string | null
  blocked_by: string | null
  block_reason: string | null
}

/** A card type of which this console has read a card, as the service last named it. */
interface CardTypeSeenTable {
  card_type: number
  name: string
}

/** What a person looked at lately, or pinned. */
interface RecentThingTable {
  actor: string
  kind: string
  id: string
  /** What tells it apart beside its id; empty where the id is all. Never an amount, or what a wallet's holder typed. */
  label: string
  /** When its page was shown last. */
  shown_at: string
  /** Null where it is not pinned. */
  pinned_at: string | null
}

/** In which states this console has read a transaction, and when first, by the service's clock where it told. */
interface StateSeenTable {
  reference: string
  state: string
  first_seen_at: string
  /** Since when it was in it, as the service tells; null where that does not. */
  since: string | null
  seen_order: GeneratedAlways<number>
}

/** That something has changed; the database writes it by itself, with the change. */
interface NewsTable {
  id: GeneratedAlways<number>
  /** The transaction that made the change. */
  xact: Generated<number>
  /** What has changed, such as `command:` and its id. */
  key: string
  /** In seconds since 1970 by the database's clock. */
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
