import 'server-only'
import type { Generated } from 'kysely'

export interface JournalTables {
  command: {
    id: string
    kind: string
    state: string
    actor: string
    actor_name: string
    /** JSON texts. Never a card number, code, password or token. */
    params: string
    facts: string
    outcome: string | null
    target: string
    created_at: string
    sent_at: string | null
    settled_at: string | null
    boot_id: string
    /** One batch counts as one act in the rate limit. */
    batch: string | null
    /** Until then the console checks for a late effect. */
    reconcile_until: string | null
    late_at: string | null
    handled_at: string | null
    trace_id: string | null
    method: 'sso' | 'password' | null
    traceparent: string | null
    /** SHA-256; null in rows of older builds. */
    effect: string | null
    policy: string | null
    /** JSON; null in rows of older builds, and of acts without a confirmation. */
    confirm_text: string | null
    /** Policy input: decimal text, and `refund` or `release`. */
    amount: string | null
    decision: string | null
    counted_at: number | null
    /** When texts about people were erased. */
    erased_at: Generated<string | null>
  }
  command_event: {
    sequence: number
    /** Null for what no command did. */
    command_id: string | null
    at: string
    state: string
    actor: string
    body: string
    previous_mac: string | null
    /** JSON: the salt of each field of the body, base64. Null in the chain. */
    salts: string | null
    mac: string
    /** JSON: the hash of each erased field, base64. */
    erased: Generated<string | null>
  }
  /** One row. */
  ended_chain: {
    one: number
    sequence: number
    mac: string
  }
  /** Events that have no place in the signed log yet. */
  log_pending: {
    sequence: number
    /** Not written with AUDIT_KEY. */
    refused: Generated<boolean>
    /** Seconds since 1970. */
    since: Generated<number>
  }
  log_leaf: {
    index: number
    /** Null for the first, which is the chain's end. */
    sequence: number | null
  }
  /** Complete subtrees; level 0 has the leaves. */
  log_node: {
    level: number
    index: number
    /** Hexadecimal. */
    hash: string
  }
  /** One row, locked while events are placed. */
  log_head: {
    one: number
    size: number
    root: string
    /** Signed note; empty before the first. */
    checkpoint: string
    at: string
    /** Signed note with the witness's latest cosignature; empty before the first. */
    cosigned: string
    cosigned_size: number
    /** Seconds since 1970, by the witness's clock. */
    cosigned_at: number
    /** Seconds since 1970, by the database's clock. */
    cosigned_received: number
    /** A cosigned checkpoint that this log did not grow from; empty if there is none. */
    conflict: string
  }
  /** One row per target that the log was streamed to. */
  log_sink: {
    /** SHA-256, hexadecimal. */
    target: string
    /** All entries before it are delivered. */
    next_index: number
    holder: string
    /** Seconds since 1970. */
    held_until: number
  }
  journal_check: {
    one: number
    at: string
    by_name: string
    events: number
    root: string
    faults: string
  }
  /** The database refuses to change a row, or to delete one younger than 400 days. */
  audit_entry: {
    id: string
    at: string
    kind: string
    actor: string
    actor_name: string
    method: 'sso' | 'password' | null
    about: string
    /** Never a token, code, password or card number. */
    facts: string
    /** Of its event; null in rows of older builds. */
    sequence: number | null
  }
}
