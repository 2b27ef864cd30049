import 'server-only'

export interface PasskeyTable {
  /** Base64url. */
  id: string
  actor: string
  /** From 1 to 5, one passkey each. */
  slot: number
  name: string
  /** COSE, base64url. */
  public_key: string
  counter: number
  /** JSON text. */
  transports: string
  /** The authenticator's model, if known. */
  aaguid: string
  /** Can be copied to other devices, and was. */
  synced: boolean
  backed_up: boolean
  /** ISO 8601. */
  created_at: string
  last_used_at: string | null
}

/** Single use. */
export interface PasskeyChallengeTable {
  /** Base64url. */
  challenge: string
  actor: string
  /** Null when a passkey is added. */
  command_id: string | null
  effect: string | null
  /** Seconds since 1970 by the database's clock. */
  expires_at: number
}

/** Rows are never altered. */
export interface PasskeyAssertionTable {
  challenge: string
  command_id: string
  actor: string
  effect: string
  credential_id: string
  at: number
}
