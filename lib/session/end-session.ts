import 'server-only'
import { type BoundedCache, boundedCache } from '#lib/config/cache.ts'
import { log } from '#lib/config/log.ts'
import { perProcess } from '#lib/config/per-process.ts'
import { store } from '#lib/store/store.ts'
import { dropLive } from './live-sessions.ts'
import {
  deleteSession,
  deleteSessionsByIdpSid,
  deleteSessionsByIdpSubject,
  deleteSessionsOf,
  deleteSessionsOfOther,
  type EndOfOther,
} from './session-end-table.ts'

/** As written in the log and the audit trail. */
export type WhyEnded =
  | 'signed-out'
  /** The person ended it from the list of their sessions. */
  | 'ended-by-owner'
  | 'ended-by-admin'
  /** A sign-in beyond `SESSIONS_MOST` replaced it. */
  | 'too-many'
  | 'idle'
  | 'absolute'
  /** The service or the provider refused the tokens for good. */
  | 'refused'
  /** The identity provider sent a logout token. */
  | 'back-channel'
  /** A later check of scopes or claim no longer shows the person as staff. */
  | 'not-staff'
  /** The person in the session's row was altered. */
  | 'changed-in-store'
  /** A renewed ID token names another subject, issuer or client. */
  | 'identity-changed'
  /** The configured staff rule changed since sign-in. */
  | 'rule-changed'

/**
 * Bounds the ids for which an open page can show that the person is no longer staff. Forgotten ones only show that the
 * session ended.
 */
const NO_STAFF_MOST = 1_000

const noLongerStaff = (): BoundedCache<true> => perProcess('no longer staff', () => boundedCache(NO_STAFF_MOST))

/**
 * Ends a session. Its row, handles and tokens are deleted when this resolves; other processes drop it within two
 * seconds (`watch-ends.ts`).
 */
export async function endSession(id: string, why: WhyEnded): Promise<void> {
  sessionsEnded(await deleteSession(await store(), id, why), why)
}

/** `except` is the id of a session to keep. */
export async function endSessionsOf(actor: string, why: WhyEnded, except: string | null = null): Promise<void> {
  sessionsEnded(await deleteSessionsOf(await store(), actor, except, why), why)
}

/** Returns how many sessions the administrator ended. */
export async function endSessionsOfOther(end: EndOfOther): Promise<number> {
  const ended = await deleteSessionsOfOther(await store(), end)
  sessionsEnded(ended, 'ended-by-admin')
  return ended.length
}

export async function endSessionsByIdpSid(sid: string, why: WhyEnded): Promise<void> {
  sessionsEnded(await deleteSessionsByIdpSid(await store(), sid, why), why)
}

export async function endSessionsByIdpSubject(subject: string, why: WhyEnded): Promise<void> {
  sessionsEnded(await deleteSessionsByIdpSubject(await store(), subject, why), why)
}

/** Cleans up in this process after the rows were deleted. */
export function sessionsEnded(ids: readonly string[], why: WhyEnded): void {
  if (ids.length > 0) log().info({ event: 'session-ended', why, sessions: ids.length })
  for (const id of ids) dropLive(id)
  if (why === 'not-staff') rememberNoStaff(ids)
}

function rememberNoStaff(ids: readonly string[]): void {
  for (const id of ids) noLongerStaff().set(id, true)
}

/** Knows only sessions that this process ended. */
export const endedAsNoStaff = (id: string): boolean => noLongerStaff().has(id)
