import 'server-only'
import { randomUUID } from 'node:crypto'
import { config } from '#lib/config/config.ts'
import { deleteSession, findByHandle, insertSession, type SessionRow } from '#lib/store/sessions.ts'
import { store } from '#lib/store/store.ts'
import { newHandle, splitHandle } from './handle.ts'
import { newDataKey, seal, unseal, wrappingKey } from './seal.ts'
import { Session, type SignInMethod } from './session.ts'

/** What the identity provider gave, held sealed in the vault and nowhere else. */
export interface TokenPair {
  readonly accessToken: string
  readonly refreshToken: string
  /** ISO 8601. */
  readonly receivedAt: string
  readonly endsAt: string
}

export interface NewSession {
  readonly actor: string
  readonly displayName: string
  readonly userId: string | null
  readonly method: SignInMethod
  readonly tokens: TokenPair
}

const HOUR_MS = 3_600_000

/** Puts a fresh pair of tokens into the vault. Answers the handle for the cookie: the only copy there will be. */
export async function createSession(given: NewSession): Promise<string> {
  const [current] = config().sessionKeys
  if (current === undefined) throw new Error('SESSION_KEY holds no key')
  const id = randomUUID()
  const handle = newHandle()
  const halves = splitHandle(handle)
  if (halves === null) throw new Error('a new handle does not split')
  const dataKey = newDataKey()
  const now = new Date()
  await insertSession(
    await store(),
    {
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
      created_at: now.toISOString(),
      ends_at: new Date(now.getTime() + config().sessionMaxHours * HOUR_MS).toISOString(),
    },
    {
      id_hash: halves.idHash,
      session_id: id,
      wrapped_key: seal(wrappingKey(current, halves.secret), dataKey, id),
      key_version: current.version,
    },
  )
  return handle
}

/** The session behind a handle; null when there is none, or when it has ended. */
export async function openSession(handle: string): Promise<Session | null> {
  const halves = splitHandle(handle)
  if (halves === null) return null
  const db = await store()
  const row = await findByHandle(db, halves.idHash)
  if (row === undefined) return null
  if (row.ends_at <= new Date().toISOString()) {
    await deleteSession(db, row.id)
    return null
  }
  const key = config().sessionKeys.find(({ version }) => version === row.key_version)
  const dataKey = key === undefined ? null : unseal(wrappingKey(key, halves.secret), row.wrapped_key, row.id)
  if (dataKey === null) return null
  const { id, actor, display_name: displayName, user_id: userId, method, ends_at: endsAt } = row
  return new Session({ id, actor, displayName, userId, method, endsAt }, dataKey)
}

export async function endSession(session: Session): Promise<void> {
  await deleteSession(await store(), session.id)
}

/** The tokens of a session's row; null when its data key does not open them. */
export function tokensOf(session: Session, row: SessionRow): TokenPair | null {
  const plain = unseal(Session.dataKeyOf(session), row.box, row.id)
  if (plain === null) return null
  const { accessToken, refreshToken } = JSON.parse(plain.toString('utf8')) as TokenPair
  return { accessToken, refreshToken, receivedAt: row.access_received_at, endsAt: row.access_ends_at }
}

/** A box for the next generation of a session's tokens. */
export const boxFor = (session: Session, tokens: TokenPair): string =>
  sealTokens(Session.dataKeyOf(session), session.id, tokens)

function sealTokens(dataKey: Buffer, id: string, { accessToken, refreshToken }: TokenPair): string {
  return seal(dataKey, Buffer.from(JSON.stringify({ accessToken, refreshToken })), id)
}
