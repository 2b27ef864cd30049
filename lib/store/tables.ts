import 'server-only'
import type { Generated, GeneratedAlways, Transaction } from 'kysely'
import type { CaseTables } from './case-tables.ts'
import type { JournalTables } from './journal-tables.ts'
import type { StatementTables } from './statement-tables.ts'

/** Inside a transaction, use only this handle: PGlite has one connection. */
export type Trx = Transaction<Tables>

/** Times are ISO 8601 in UTC with milliseconds. Numbers are seconds since 1970 by the database's clock. */
export interface Tables extends CaseTables, JournalTables, StatementTables {
  session: {
    id: string
    /** Encrypted with the session's data key. */
    box: string
    token_serial: number
    access_received_at: string
    access_ends_at: string
    lease_by: string | null
    lease_ends_at: string | null
    /** `sso:` and the user id claim. */
    actor: string
    display_name: string
    user_id: string
    /** The session ends when this rule changes. */
    admitted_by: string
    method: 'sso' | 'password'
    created_at: string
    ends_at: string
    /** Keyboard or pointer input. */
    last_active_at: string
    user_agent: string
    /** From the proxy's header. Deleted with the session. */
    address: string | null
    /** The claim that makes the person an administrator, with a MAC. */
    admin_rule: string | null
    idp_sid: string | null
    idp_subject: string | null
  }
  /** Kept for minutes, until a process revokes the tokens. */
  ended_token: {
    session_id: string
    box: string
    idp_sid: string | null
    kept_until: string
  }
  /** For the browser of a session that another person ended. */
  ended_handle: {
    id_hash: string
    why: string
    kept_until: string
  }
  session_handle: {
    /** SHA-256 of the handle's id half, base64url. Only the cookie has the handle. */
    id_hash: string
    session_id: string
    /** Encrypted with a key derived from SESSION_KEY and the handle's secret half. */
    wrapped_key: string
    key_version: number
    /** A replaced handle remains valid until then. */
    answers_until: string | null
  }
  console_process: {
    boot_id: string
    beat_at: number
  }
  /** At most one open command per key. After an effect, `for_ever` keys stay. */
  command_lock: {
    key: string
    command_id: string
    for_ever: boolean
    /** The lender gets the key back if this command has no effect. */
    back_to: string | null
  }
  known_account: {
    account_hash: string
    actor: string
    actor_name: string
    last_at: string
  }
  known_person: {
    actor: string
    name: Generated<string>
    /** JSON. */
    scopes: string
    administers: boolean
    known_at: string
  }
  /** One row per deposit; it stays after it was handed back, until the sender removes it. */
  hand_over: {
    reference: string
    command_id: string
    from_actor: string
    from_name: string
    to_actor: string
    to_name: string
    amount: string
    bank_reference: string
    statement_amount: string
    reason: string
    at: string
    handed_back_at: string | null
  }
  totp_digits: {
    actor: string
    digits: number
    enrolled_at: string | null
  }
  code_attempt: {
    actor: string
    at: string
  }
  text_draft: {
    owner: string
    /** `deposit:` and the reference. */
    place: string
    page: string
    number: number
    text: string
    version: Generated<number>
  }
  /** Each token is accepted once. */
  logout_token: {
    jti: string
    sid: string | null
    sub: string | null
    /** Seconds. */
    issued_at: number | null
    arrived_at: string | null
    /** Until its sessions end. */
    is_pending: boolean | null
    kept_until: string
  }
  preference: {
    actor: string
    body: string
  }
  /** Never contains the card number. */
  issued_card: {
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
    came: 'issued' | 'registered'
    recorded_by: string
    recorded_at: string
    blocked_at: string | null
    blocked_by: string | null
    block_reason: string | null
  }
  card_type_seen: {
    card_type: number
    name: string
  }
  recent_thing: {
    actor: string
    kind: string
    id: string
    /** Never an amount or a wallet holder's text. */
    label: string
    shown_at: string
    pinned_at: string | null
  }
  /** By the service's clock if known. */
  state_seen: {
    reference: string
    state: string
    first_seen_at: string
    since: string | null
    seen_order: GeneratedAlways<number>
  }
  /** Triggers write these rows. */
  news: {
    id: GeneratedAlways<number>
    xact: Generated<number>
    /** `command:` and its id. */
    key: string
    at: Generated<number>
  }
  approval_request: {
    command_id: string
    asked_at: number
    expires_at: number
    reason: string
    approvals: number
    scopes: string
    passkey: Generated<boolean>
    administers: Generated<boolean>
    reread: Generated<boolean>
    /** Lock keys of the effect. */
    keys: Generated<string[]>
  }
  approval: {
    command_id: string
    actor: string
    actor_name: string
    approves: boolean
    effect: string
    reason: string
    at: number
  }
  passkey: {
    id: string
    actor: string
    /** From 1 to 5, one passkey each. */
    slot: number
    name: string
    /** COSE, base64url. */
    public_key: string
    counter: number
    transports: string
    aaguid: string
    synced: boolean
    backed_up: boolean
    created_at: string
    last_used_at: string | null
  }
  passkey_challenge: {
    challenge: string
    actor: string
    /** Null when a passkey is added. */
    command_id: string | null
    effect: string | null
    expires_at: number
  }
  passkey_assertion: {
    challenge: string
    command_id: string
    actor: string
    effect: string
    credential_id: string
    at: number
  }
  /** Case ids are lower case. */
  case_thread: {
    case_id: string
    payer: string | null
    /** By the database's clock; 0: never. */
    read_at: number
    /** Of the last message by a person. */
    last_key: string | null
    last_author: string | null
    /** Of the last message by anyone else. */
    other_key: string | null
  }
  /** Never contains the message's text. */
  case_message: {
    case_id: string
    message_id: string
    author: string
    order_key: string
  }
  case_reader: {
    actor: string
    case_id: string
    last_key: string
  }
  saved_view: {
    id: string
    table_name: string
    /** Empty if shared. */
    scope: string
    owner: string
    owner_name: string
    name: string
    name_key: string
    state: string
    updated_at: string
  }
}
