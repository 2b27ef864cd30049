import type { Generated, Kysely, Transaction } from 'kysely'

/** The columns in SQL, from which `Tables` takes its types. A table comes after those to which it refers. */
export const columns = {
  setting: { key: 'text PRIMARY KEY', value: 'text NOT NULL' },
  app_user: {
    id: 'text PRIMARY KEY',
    first_name: 'text NOT NULL',
    last_name: 'text NOT NULL',
    email: 'text NOT NULL',
    /** Lower case, for the unique index and sign-in. */
    email_key: 'text NOT NULL UNIQUE',
    phone_number: 'text NOT NULL',
    username: 'text NOT NULL',
    username_key: 'text NOT NULL UNIQUE',
    password_hash: 'text NOT NULL',
    /** Comma-separated names of `identity/roles.ts`. */
    roles: 'text NOT NULL',
    kyc_status: 'text NOT NULL',
    may_sign_in: 'boolean NOT NULL',
    failed_sign_ins: 'integer NOT NULL',
    /** Milliseconds since 1970, by the machine's clock; null when not locked. */
    locked_until_ms: 'bigint',
    /** Access tokens of an earlier generation are expired, whatever their `exp`. */
    token_generation: 'integer NOT NULL',
    created_at: 'text NOT NULL',
  },
  oidc_record: {
    model: 'text NOT NULL',
    id: 'text NOT NULL',
    payload: 'text NOT NULL',
    grant_id: 'text',
    uid: 'text',
    user_code: 'text',
    consumed_at: 'bigint',
    /** Seconds since 1970. */
    expires_at: 'bigint',
  },
  /** Only the reserve, the money outside the service, may be negative. */
  account: { id: 'text PRIMARY KEY', kind: "text NOT NULL CHECK (kind IN ('wallet', 'merchant', 'fees', 'reserve'))" },
  ledger_row: {
    sequence: 'bigint GENERATED ALWAYS AS IDENTITY',
    row_id: 'text PRIMARY KEY',
    reference_id: 'text NOT NULL',
    /** 1 for the first row, then one more per change of state. */
    version: 'integer NOT NULL',
    from_account_id: 'text NOT NULL REFERENCES account (id)',
    to_account_id: 'text NOT NULL REFERENCES account (id)',
    credit: 'numeric(30, 8) NOT NULL CHECK (credit >= 0)',
    debit: 'numeric(30, 8) NOT NULL',
    transaction_type: 'text NOT NULL',
    state: 'text NOT NULL',
    chain_reference_id: 'text NOT NULL',
    tx_contract_address: 'text NOT NULL',
    tx_contract_version: 'text NOT NULL',
    created_at: 'text NOT NULL',
    settled_at: 'text',
    note: 'text NOT NULL',
    fail_reason: 'text NOT NULL',
    bank_reference: 'text',
    card_id: 'text',
    reversal_of: 'text',
    recorded_at: 'text NOT NULL',
  },
  ledger_entry: {
    account_id: 'text NOT NULL REFERENCES account (id)',
    bucket: "text NOT NULL CHECK (bucket IN ('available', 'escrow'))",
    /** 1, 2, 3 … within one account and bucket. */
    position: 'bigint NOT NULL',
    row_id: 'text NOT NULL REFERENCES ledger_row (row_id)',
    amount: 'numeric(30, 8) NOT NULL CHECK (amount <> 0)',
    balance_after: 'numeric(30, 8) NOT NULL',
    /** True for the reserve only. */
    may_go_below_zero: 'boolean NOT NULL',
  },
  /** Position n is the account's n-th transaction. */
  ledger_history: {
    account_id: 'text NOT NULL REFERENCES account (id)',
    position: 'bigint NOT NULL',
    reference_id: 'text NOT NULL',
  },
  /** Scheduled work; rows are deleted when done. */
  ledger_due: { reference_id: 'text PRIMARY KEY', due_at: 'text NOT NULL' },
  card: {
    id: 'text PRIMARY KEY',
    user_id: 'text NOT NULL REFERENCES app_user (id)',
    card_number: 'text NOT NULL UNIQUE',
    card_type: 'integer NOT NULL',
    printed_name: 'text NOT NULL',
    status: "text NOT NULL CHECK (status IN ('UNISSUED', 'ACTIVE', 'BLOCKED'))",
    frozen: 'boolean NOT NULL',
    issued_at: 'text NOT NULL',
    activated_at: 'text',
    frozen_at: 'text',
    per_txn_cap: 'numeric(30, 8)',
    daily_cap: 'numeric(30, 8)',
    lifetime_cap: 'numeric(30, 8)',
  },
  merchant: {
    id: 'text PRIMARY KEY',
    name: 'text NOT NULL',
    owner_user_id: 'text NOT NULL REFERENCES app_user (id)',
    account_id: 'text NOT NULL REFERENCES account (id)',
  },
  terminal: {
    id: 'text PRIMARY KEY',
    merchant_id: 'text NOT NULL REFERENCES merchant (id)',
    terminal_uid: 'text NOT NULL UNIQUE',
    label: 'text NOT NULL',
    status: "text NOT NULL CHECK (status IN ('ACTIVE', 'DISABLED'))",
    registered_at: 'text NOT NULL',
    updated_at: 'text NOT NULL',
  },
  dispute_case: {
    id: 'text PRIMARY KEY',
    reference_id: 'text NOT NULL UNIQUE',
    raised_by_user_id: 'text NOT NULL',
    counterparty_user_id: 'text NOT NULL',
    status: "text NOT NULL CHECK (status IN ('OPEN', 'RESOLVED'))",
    reason: 'text NOT NULL',
    resolution_outcome: 'text',
    resolution_reason: 'text',
    resolved_by_user_id: 'text',
    created_at: 'text NOT NULL',
    resolved_at: 'text',
  },
  dispute_message: {
    id: 'text PRIMARY KEY',
    case_id: 'text NOT NULL REFERENCES dispute_case (id)',
    position: 'integer NOT NULL',
    sender_user_id: 'text',
    body: 'text NOT NULL',
    created_at: 'text NOT NULL',
  },
  totp: {
    user_id: 'text PRIMARY KEY REFERENCES app_user (id)',
    /** Base32; active when `enrolled_at` is set. */
    secret: 'text',
    /** Base32; waits for its first code. */
    pending_secret: 'text',
    enrolled_at: 'text',
    /** The latest time step with an accepted code, so that no code works twice. */
    used_step: 'bigint NOT NULL',
    wrong_codes: 'integer NOT NULL',
    /** Milliseconds since 1970, by the machine's clock. */
    locked_until_ms: 'bigint',
  },
  step_up_grant: {
    /** SHA-256, base64url. */
    token_hash: 'text PRIMARY KEY',
    user_id: 'text NOT NULL REFERENCES app_user (id)',
    /** Milliseconds since 1970, by the machine's clock. */
    ends_ms: 'bigint NOT NULL',
  },
  /** Accepted webhook deliveries, so that none is applied twice. */
  kyc_delivery: { id: 'text PRIMARY KEY' },
} as const

type Columns = typeof columns

type OneOf<List> = List extends `'${infer First}', ${infer Rest}` ? First | OneOf<Rest> : Unquoted<List>
type Unquoted<Text> = Text extends `'${infer Inner}'` ? Inner : never

type Value<Sql> = Sql extends `${string} IN (${infer List}))`
  ? OneOf<List>
  : Sql extends `${'bigint' | 'integer'}${string}`
    ? number
    : Sql extends `boolean${string}`
      ? boolean
      : string

type Column<Sql> = Sql extends `${string} GENERATED ${string}`
  ? Generated<Value<Sql>>
  : Sql extends `${string} ${'NOT NULL' | 'PRIMARY KEY'}${string}`
    ? Value<Sql>
    : Value<Sql> | null

export type Tables = { [Name in keyof Columns]: { -readonly [Key in keyof Columns[Name]]: Column<Columns[Name][Key]> } }

export type Trx = Transaction<Tables>

export type Db = Kysely<Tables>
