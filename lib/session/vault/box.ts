import 'server-only'
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { SessionKey } from '#lib/config/keys.ts'
import type { SessionFacts } from '#lib/session/session.ts'

/** What the identity provider gave, held sealed in the vault and nowhere else. */
export interface TokenPair {
  readonly accessToken: string
  readonly refreshToken: string
  /** Of the sign-in; kept with OIDC_LOGOUT_HINT=on alone. */
  readonly idToken?: string | undefined
  /** ISO 8601. */
  readonly receivedAt: string
  readonly endsAt: string
}

/** Whose tokens they are: a session's row says the same, and could be changed in the store. */
export type BoxOwner = Pick<SessionFacts, 'actor' | 'userId' | 'displayName' | 'method'>

interface Boxed extends Pick<TokenPair, 'accessToken' | 'refreshToken' | 'idToken'> {
  /** Absent where a build before this one sealed it. */
  readonly owner?: BoxOwner
}

export function sealTokens(
  dataKey: Buffer,
  id: string,
  { accessToken, refreshToken, idToken }: TokenPair,
  { actor, userId, displayName, method }: BoxOwner,
): string {
  const boxed: Boxed = { accessToken, refreshToken, idToken, owner: { actor, userId, displayName, method } }
  return seal(dataKey, Buffer.from(JSON.stringify(boxed)), id)
}

/** Null when the key does not open the box, or the box is of another session. */
export function openBox(dataKey: Buffer, id: string, box: string): Boxed | null {
  const plain = unseal(dataKey, box, id)
  return plain === null ? null : (JSON.parse(plain.toString('utf8')) as Boxed)
}

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

export const newDataKey = (): Buffer => randomBytes(KEY_BYTES)

/** AES-256-GCM. `bound` is not hidden but must be the same to open: it ties a box to the row that it belongs to. */
export function seal(key: Buffer, plain: Buffer, bound: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(bound))
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64url')
}

/** Null when the key, the binding or the box is not the right one. */
export function unseal(key: Buffer, box: string, bound: string): Buffer | null {
  const bytes = Buffer.from(box, 'base64url')
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(bound))
    .setAuthTag(bytes.subarray(-TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
  } catch {
    return null
  }
}

/**
 * The key that wraps a session's data key: derived from a version of SESSION_KEY and the secret half of the handle, so
 * that neither the store, nor the store with SESSION_KEY, opens anything without the cookie.
 */
export function wrappingKey(sessionKey: SessionKey, handleSecret: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', sessionKey.key, handleSecret, 'operator-console session handle', KEY_BYTES))
}
