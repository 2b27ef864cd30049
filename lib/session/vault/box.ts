import 'server-only'
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { SessionKey } from '#lib/config/keys.ts'
import type { SessionFacts } from '#lib/session/session.ts'

/** Stored only in encrypted form. */
export interface TokenPair {
  readonly accessToken: string
  /** Empty: none, only with OIDC_OFFLINE_ACCESS=off. */
  readonly refreshToken: string
  /** Only with OIDC_LOGOUT_HINT=on. */
  readonly idToken?: string | undefined
  /** ISO 8601. */
  readonly receivedAt: string
  readonly endsAt: string
}

/** Encrypted with the tokens, to detect a session row that was altered in the store. */
export type BoxOwner = Pick<SessionFacts, 'actor' | 'userId' | 'displayName' | 'method'>

interface Boxed extends Pick<TokenPair, 'accessToken' | 'refreshToken' | 'idToken'> {
  readonly owner: BoxOwner
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

export function openBox(dataKey: Buffer, id: string, box: string): Boxed | null {
  const plain = unseal(dataKey, box, id)
  return plain === null ? null : (JSON.parse(plain.toString('utf8')) as Boxed)
}

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

export const newDataKey = (): Buffer => randomBytes(KEY_BYTES)

/** AES-256-GCM. `bound` is authenticated, not encrypted: it ties a box to its row. */
export function seal(key: Buffer, plain: Buffer, bound: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(bound))
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64url')
}

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

/** The store and SESSION_KEY together open no session without the cookie. */
export const wrappingKey = (sessionKey: SessionKey, handleSecret: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', sessionKey.key, handleSecret, 'operator-console session handle', KEY_BYTES))
