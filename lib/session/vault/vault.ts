import 'server-only'
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import { config } from '#lib/config/config.ts'
import type { SessionKey } from '#lib/config/parse.ts'
import { endSession, sessionsEnded } from '#lib/session/end-session.ts'
import { endOf, SESSIONS_MOST } from '#lib/session/limits.ts'
import { keepLive } from '#lib/session/live-sessions.ts'
import { keepPreferences } from '#lib/session/preferences.ts'
import { type AdmittedBy, Session, type SignInMethod } from '#lib/session/session.ts'
import { admittingRule, ruleOf } from '#lib/session/sign-in/admission.ts'
import { store } from '#lib/store/store.ts'
import { newHandle, splitHandle } from './handle.ts'
import { findByHandle, type HandledSession, saveWrapping } from './handle-table.ts'
import { insertSession, type SessionRow } from './session-table.ts'

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

export interface NewSession {
  readonly actor: string
  readonly displayName: string
  readonly userId: string
  readonly method: SignInMethod
  readonly admittedBy: AdmittedBy
  readonly userAgent: string
  /** The identity provider's session and subject; null where it names none. */
  readonly idpSid: string | null
  readonly idpSubject: string | null
  readonly tokens: TokenPair
}

const HOUR_MS = 3_600_000
/** Real ones are shorter; what a client may send is not bounded. */
const USER_AGENT_MAX_CHARS = 300

/** A handle, and how the store keeps it. */
interface MadeHandle {
  readonly handle: string
  readonly row: { id_hash: string; session_id: string; wrapped_key: string; key_version: number; answers_until: null }
}

/** A new handle that opens a session's data key, under the newest version of SESSION_KEY. */
export function makeHandle(sessionId: string, dataKey: Buffer): MadeHandle {
  const handle = newHandle()
  const halves = splitHandle(handle)
  if (halves === null) throw new Error('a new handle does not split')
  const newest = newestKey()
  const wrapped = seal(wrappingKey(newest, halves.secret), dataKey, sessionId)
  return {
    handle,
    row: {
      id_hash: halves.idHash,
      session_id: sessionId,
      wrapped_key: wrapped,
      key_version: newest.version,
      answers_until: null,
    },
  }
}

function newestKey(): SessionKey {
  const [newest] = config().sessionKeys
  if (newest === undefined) throw new Error('SESSION_KEY holds no key')
  return newest
}

/**
 * Puts a fresh pair of tokens into the vault. Answers the handle for the cookie: the only copy there will be. A person
 * who has five sessions already loses the least recently active.
 */
export async function createSession(given: NewSession): Promise<string> {
  const id = randomUUID()
  const dataKey = newDataKey()
  const { handle, row } = makeHandle(id, dataKey)
  const now = new Date()
  const session = {
    id,
    box: sealTokens(dataKey, id, given.tokens),
    token_serial: 1,
    access_received_at: given.tokens.receivedAt,
    access_ends_at: given.tokens.endsAt,
    lease_by: null,
    lease_ends_at: null,
    actor: given.actor,
    display_name: given.displayName,
    user_id: given.userId,
    method: given.method,
    admitted_by: ruleOf(given.admittedBy),
    created_at: now.toISOString(),
    ends_at: new Date(now.getTime() + config().sessionMaxHours * HOUR_MS).toISOString(),
    last_active_at: now.toISOString(),
    user_agent: given.userAgent.slice(0, USER_AGENT_MAX_CHARS),
    idp_sid: given.idpSid,
    idp_subject: given.idpSubject,
  }
  sessionsEnded(await insertSession(await store(), session, row, SESSIONS_MOST), 'too-many')
  return handle
}

/** The session behind a handle; null when there is none, when it has ended, or when a newer handle took this one's place. */
export async function openSession(handle: string): Promise<Session | null> {
  const halves = splitHandle(handle)
  if (halves === null) return null
  const row = await findByHandle(await store(), halves.idHash)
  if (row === undefined) return null
  const { id, actor, display_name: displayName, user_id: userId, method } = row
  const admittedBy = admittingRule(method, row.admitted_by)
  if (admittedBy === null) {
    await endSession(id, 'rule-changed')
    return null
  }
  const [endsAt, lastActiveAt] = [row.ends_at, row.last_active_at]
  const facts = { id, actor, displayName, userId, method, admittedBy, endsAt, lastActiveAt }
  const end = endOf(facts)
  if (end.at <= Date.now()) {
    await endSession(id, end.by)
    return null
  }
  if (row.answers_until !== null && row.answers_until <= new Date().toISOString()) return null
  const dataKey = await unwrap(row, halves.secret)
  if (dataKey === null) return null
  const session = new Session(facts, dataKey)
  keepPreferences(session, row.preferences)
  keepLive(session)
  return session
}

/** The data key of a session; a wrapping under an older version of SESSION_KEY is replaced by one under the newest. */
async function unwrap(row: HandledSession, handleSecret: Buffer): Promise<Buffer | null> {
  const key = config().sessionKeys.find(({ version }) => version === row.key_version)
  const dataKey = key === undefined ? null : unseal(wrappingKey(key, handleSecret), row.wrapped_key, row.id)
  const newest = newestKey()
  if (dataKey !== null && key !== newest) {
    await saveWrapping(await store(), row.id_hash, {
      from: row.key_version,
      to: newest.version,
      wrappedKey: seal(wrappingKey(newest, handleSecret), dataKey, row.id),
    })
  }
  return dataKey
}

/** The tokens of a session's row; null when its data key does not open them. */
export function tokensOf(session: Session, row: SessionRow): TokenPair | null {
  const plain = unseal(Session.dataKeyOf(session), row.box, row.id)
  if (plain === null) return null
  const { accessToken, refreshToken, idToken } = JSON.parse(plain.toString('utf8')) as TokenPair
  return { accessToken, refreshToken, idToken, receivedAt: row.access_received_at, endsAt: row.access_ends_at }
}

/** A box for the next generation of a session's tokens. */
export const boxFor = (session: Session, tokens: TokenPair): string =>
  sealTokens(Session.dataKeyOf(session), session.id, tokens)

function sealTokens(dataKey: Buffer, id: string, { accessToken, refreshToken, idToken }: TokenPair): string {
  return seal(dataKey, Buffer.from(JSON.stringify({ accessToken, refreshToken, idToken })), id)
}

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

const newDataKey = (): Buffer => randomBytes(KEY_BYTES)

/** AES-256-GCM. `bound` is not hidden but must be the same to open: it ties a box to the row that it belongs to. */
function seal(key: Buffer, plain: Buffer, bound: string): string {
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
