import type { Generated, Kysely, Transaction } from 'kysely'

export type Trx = Transaction<Tables>

export type Db = Kysely<Tables>

interface Setting {
  key: string
  value: string
}

interface AppUser {
  id: string
  first_name: string
  last_name: string
  email: string
  /** Lower case, for the unique index and sign-in. */
  email_key: string
  phone_number: string
  username: string
  username_key: string
  password_hash: string
  /** Comma-separated names of `identity/roles.ts`. */
  roles: string
  kyc_status: string
  may_sign_in: boolean
  failed_sign_ins: number
  /** Milliseconds since 1970, by the machine's clock; null when not locked. */
  locked_until_ms: number | null
  /** Access tokens of an earlier generation are expired, whatever their `exp`. */
  token_generation: number
  created_at: string
}

interface OidcRecord {
  model: string
  id: string
  payload: string
  grant_id: string | null
  uid: string | null
  user_code: string | null
  consumed_at: number | null
  /** Seconds since 1970. */
  expires_at: number | null
}

interface LedgerRow {
  row_id: string
  reference_id: string
  /** 1 for the first row, then one more per change of state. */
  version: number
  from_account_id: string
  to_account_id: string
  credit: string
  debit: string
  transaction_type: string
  state: string
  chain_reference_id: string
  tx_contract_address: string
  tx_contract_version: string
  created_at: string
  settled_at: string | null
  note: string
  fail_reason: string
  bank_reference: string | null
  card_id: string | null
  reversal_of: string | null
  recorded_at: string
}

interface LedgerEntry {
  account_id: string
  bucket: 'available' | 'escrow'
  /** 1, 2, 3 … within one account and bucket. */
  position: number
  row_id: string
  amount: string
  balance_after: string
  /** True for the reserve only; the database refuses any other entry with a negative balance. */
  may_go_below_zero: boolean
}

/** Position n is the account's n-th transaction. */
interface LedgerHistory {
  account_id: string
  position: number
  reference_id: string
}

/** Scheduled work; rows are deleted when done. */
interface LedgerDue {
  reference_id: string
  due_at: string
}

interface Account {
  id: string
  /** Only the reserve, the money outside the service, may be negative. */
  kind: 'wallet' | 'merchant' | 'fees' | 'reserve'
}

interface Merchant {
  id: string
  name: string
  owner_user_id: string
  account_id: string
}

interface Terminal {
  id: string
  merchant_id: string
  terminal_uid: string
  label: string
  status: 'ACTIVE' | 'DISABLED'
  registered_at: string
  updated_at: string
}

interface Card {
  id: string
  user_id: string
  card_number: string
  card_type: number
  printed_name: string
  status: 'UNISSUED' | 'ACTIVE' | 'BLOCKED'
  frozen: boolean
  issued_at: string
  activated_at: string | null
  frozen_at: string | null
  per_txn_cap: string | null
  daily_cap: string | null
  lifetime_cap: string | null
}

interface DisputeCase {
  id: string
  reference_id: string
  raised_by_user_id: string
  counterparty_user_id: string
  status: 'OPEN' | 'RESOLVED'
  reason: string
  resolution_outcome: string | null
  resolution_reason: string | null
  resolved_by_user_id: string | null
  created_at: string
  resolved_at: string | null
}

interface DisputeMessage {
  id: string
  case_id: string
  position: number
  sender_user_id: string | null
  body: string
  created_at: string
}

interface Totp {
  user_id: string
  /** Base32; active when `enrolled_at` is set. */
  secret: string | null
  /** Base32; waits for its first code. */
  pending_secret: string | null
  enrolled_at: string | null
  /** The latest time step with an accepted code, so that no code works twice. */
  used_step: number
  wrong_codes: number
  /** Milliseconds since 1970, by the machine's clock. */
  locked_until_ms: number | null
}

interface StepUpGrant {
  /** SHA-256, base64url. */
  token_hash: string
  user_id: string
  /** Milliseconds since 1970, by the machine's clock. */
  ends_ms: number
}

/** Accepted webhook deliveries, so that none is applied twice. */
interface KycDelivery {
  id: string
}

export interface Tables {
  setting: Setting
  app_user: AppUser
  oidc_record: OidcRecord
  account: Account
  ledger_row: LedgerRow & { sequence: Generated<number> }
  ledger_entry: LedgerEntry
  ledger_history: LedgerHistory
  ledger_due: LedgerDue
  merchant: Merchant
  terminal: Terminal
  card: Card
  dispute_case: DisputeCase
  dispute_message: DisputeMessage
  totp: Totp
  step_up_grant: StepUpGrant
  kyc_delivery: KycDelivery
}
