import 'server-only'
import { randomUUID } from 'node:crypto'
import { config } from '#lib/config/config.ts'
import type { SessionKey } from '#lib/config/keys.ts'
import { errorName, log } from '#lib/config/log.ts'
import { endSession, sessionsEnded } from '#lib/session/end-session.ts'
import { SESSIONS_MOST, sessionExpiry } from '#lib/session/limits.ts'
import { addLiveSession } from '#lib/session/live-sessions.ts'
import { cachePreferences } from '#lib/session/preferences.ts'
import { Session, type SessionFacts } from '#lib/session/session.ts'
import { adminRule, admittingRule, isAdminRule, ruleOf } from '#lib/session/sign-in/admission.ts'
import { store } from '#lib/store/store.ts'
import { type BoxOwner, newDataKey, openBox, seal, sealTokens, type TokenPair, unseal, wrappingKey } from './box.ts'
import {
  findByHandle,
  type HandledSession,
  isCurrentHandle,
  newHandle,
  replaceHandle,
  saveWrapping,
  splitHandle,
} from './handle-table.ts'
import { revokeEnded } from './revoke-ended.ts'
import { insertSession, isLoggedOut, type SessionRow, type WhyEnded } from './session-table.ts'

export interface NewSession extends Pick<SessionFacts, 'actor' | 'displayName' | 'userId' | 'method' | 'admittedBy'> {
  readonly administers?: boolean
  readonly userAgent: string
  /** Null without a trusted proxy. */
  readonly address?: string | null
  readonly idpSid: string | null
  readonly idpSubject: string | null
  /** Seconds. */
  readonly idTokenIssuedAt?: number | undefined
  readonly tokens: TokenPair
}

const HOUR_MS = 3_600_000
const USER_AGENT_MAX_CHARS = 300

function makeHandle(sessionId: string, dataKey: Buffer) {
  const handle = newHandle()
  const halves = splitHandle(handle)
  if (halves === null) throw new Error('a new handle does not split')
  const newest = newestKey()
  const wrapped_key = seal(wrappingKey(newest, halves.secret), dataKey, sessionId)
  return { handle, row: { id_hash: halves.idHash, session_id: sessionId, wrapped_key, key_version: newest.version } }
}

function newestKey(): SessionKey {
  const [newest] = config().sessionKeys
  if (newest === undefined) throw new Error('SESSION_KEY holds no key')
  return newest
}

/** The result is the only copy of the handle. */
export async function createSession(given: NewSession): Promise<string> {
  const id = randomUUID()
  const dataKey = newDataKey()
  const { handle, row } = makeHandle(id, dataKey)
  const now = new Date()
  const session = {
    id,
    box: sealTokens(dataKey, id, given.tokens, given),
    token_serial: 1,
    access_received_at: given.tokens.receivedAt,
    access_ends_at: given.tokens.endsAt,
    actor: given.actor,
    display_name: given.displayName,
    user_id: given.userId,
    method: given.method,
    admitted_by: ruleOf(given.admittedBy),
    created_at: now.toISOString(),
    ends_at: new Date(now.getTime() + config().sessionMaxHours * HOUR_MS).toISOString(),
    last_active_at: now.toISOString(),
    user_agent: given.userAgent.slice(0, USER_AGENT_MAX_CHARS),
    address: given.address ?? null,
    admin_rule: given.administers ? adminRule(id) : null,
    idp_sid: given.idpSid,
    idp_subject: given.idpSubject,
  }
  const db = await store()
  try {
    sessionsEnded(await insertSession(db, session, row, SESSIONS_MOST), 'too-many')
    // After the commit: an earlier logout token is found here, a later one finds the session.
    if (await isLoggedOut(db, given)) {
      await endSession(id, 'back-channel')
      void revokeEnded(id, dataKey)
    }
    return handle
  } catch (error) {
    await endSession(id, 'unfinished').catch(() => {})
    throw error
  }
}

/** Null when the handle is unknown, its session has ended, or its grace is over. */
export async function openSession(handle: string): Promise<Session | null> {
  const halves = splitHandle(handle)
  if (halves === null) return null
  const row = await findByHandle(await store(), halves.idHash)
  if (row === undefined) return null
  const { id, actor, display_name: displayName, user_id: userId, method } = row
  const admittedBy = admittingRule(method, row.admitted_by)
  if (admittedBy === null) return await endAtHandle(row, halves.secret, 'rule-changed')
  const latest = Date.parse(row.created_at) + config().sessionMaxHours * HOUR_MS
  const endsAt = new Date(Math.min(Date.parse(row.ends_at), latest)).toISOString()
  const lastActiveAt = row.last_active_at
  const adminByClaim = isAdminRule(row.admin_rule, id)
  const facts = { id, actor, displayName, userId, method, admittedBy, adminByClaim, endsAt, lastActiveAt }
  const end = sessionExpiry(facts)
  if (end.at <= Date.now()) return await endAtHandle(row, halves.secret, end.by)
  if (row.answers_until !== null && row.answers_until <= new Date().toISOString()) return null
  const dataKey = await unwrap(row, halves.secret)
  if (dataKey === null) return null
  if (!isOwners(facts, openBox(dataKey, id, row.box)?.owner)) {
    log().error({ event: 'changed-in-store', session: id }, 'the person of a session was altered; it ends')
    return await endAtHandle(row, halves.secret, 'changed-in-store')
  }
  const session = new Session(facts, dataKey, { idHash: row.id_hash, isReplaced: row.answers_until !== null })
  cachePreferences(session, row.preferences)
  addLiveSession(session)
  return session
}

/** False for a box that does not open: the person of its row proves nothing. */
const isOwners = (stored: BoxOwner, sealed: BoxOwner | undefined): boolean =>
  (['actor', 'userId', 'displayName', 'method'] as const).every((name) => stored[name] === sealed?.[name])

/** Revokes the tokens too: no later request may have the handle that opens them. */
async function endAtHandle(row: HandledSession, handleSecret: Buffer, why: WhyEnded): Promise<null> {
  const dataKey = await unwrap(row, handleSecret)
  await endSession(row.id, why)
  if (dataKey !== null) void revokeEnded(row.id, dataKey)
  return null
}

/** Rewraps the data key when it is under an older version of SESSION_KEY. */
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

export function tokensOf(session: Session, row: SessionRow): TokenPair | null {
  const tokens = openBox(Session.dataKeyOf(session), row.id, row.box)
  return tokens === null ? null : { ...tokens, receivedAt: row.access_received_at, endsAt: row.access_ends_at }
}

export const boxFor = (session: Session, tokens: TokenPair): string =>
  sealTokens(Session.dataKeyOf(session), session.id, tokens, session)

/** For reads in flight with the old handle. */
const GRACE_MS = 30_000

/** After an accepted code, before sending, and after a factor changed: an older handle may then only read. */
export async function rotateHandle(session: Session): Promise<boolean> {
  const { handle, row } = makeHandle(session.id, Session.dataKeyOf(session))
  const graceEndsAt = new Date(Date.now() + GRACE_MS).toISOString()
  const putInPlace = async () => replaceHandle(await store(), Session.handleOf(session).idHash, graceEndsAt, row)
  const isReplaced = await putInPlace().catch((error: unknown) => {
    log().error({ event: 'rotate-handle', error: errorName(error) })
    return isStored(row.id_hash).catch(() => false)
  })
  if (isReplaced) Session.rotate(session, row.id_hash, handle)
  return isReplaced
}

/** The commit may have happened although its answer was lost. */
const isStored = async (idHash: string): Promise<boolean> => isCurrentHandle(await store(), idHash)
