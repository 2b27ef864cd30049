import 'server-only'

/** A passkey of a person. */
export interface PasskeyTable {
  /** The credential's id, base64url. */
  id: string
  actor: string
  /** From 1 to 5, one passkey each. */
  slot: number
  /** What its person calls it. */
  name: string
  /** COSE, base64url. */
  public_key: string
  counter: number
  /** JSON text: how a browser reaches it. */
  transports: string
  /** Model of the authenticator, as far as that tells. */
  aaguid: string
  /** Whether it can be copied to other devices of its person, and was. */
  synced: boolean
  backed_up: boolean
  /** ISO 8601. */
  created_at: string
  last_used_at: string | null
}

/** What a passkey is to sign next: taken once, by whom it was made for. */
export interface PasskeyChallengeTable {
  /** Base64url. */
  challenge: string
  actor: string
  /** The change that it is for, and its digest; null where a passkey is added. */
  command_id: string | null
  effect: string | null
  /** In seconds since 1970 by the database's clock. */
  expires_at: number
}

/** That a person was there for a change, with a passkey. Never altered. */
export interface PasskeyAssertionTable {
  challenge: string
  command_id: string
  actor: string
  effect: string
  credential_id: string
  at: number
}
