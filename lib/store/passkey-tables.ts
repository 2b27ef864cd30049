import 'server-only'

export interface PasskeyTable {
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

export interface PasskeyChallengeTable {
  challenge: string
  actor: string
  /** Null when a passkey is added. */
  command_id: string | null
  effect: string | null
  expires_at: number
}

export interface PasskeyAssertionTable {
  challenge: string
  command_id: string
  actor: string
  effect: string
  credential_id: string
  at: number
}
