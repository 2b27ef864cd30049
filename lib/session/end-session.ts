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

/** Why a session ended, as the log and the audit trail say it. */
export type WhyEnded =
  | 'signed-out'
  /** From the list of one's own sessions. */
  | 'ended-by-owner'
  /** Somebody who administers ended it. */
  | 'ended-by-admin'
  /** A sixth sign-in took its place. */
  | 'too-many'
  | 'idle'
  | 'absolute'
  /** The tokens were refused for good. */
  | 'refused'
  /** The identity provider said so. */
  | 'back-channel'
  /** Scopes or a claim, read again, no longer say that the person is staff. */
  | 'not-staff'
  /** Somebody changed whose session it is. */
  | 'changed-in-store'
  /** A renewed ID token names another subject, issuer or client. */
  | 'identity-changed'
  /** Who is staff is configured in another way than when it began. */
  | 'rule-changed'

/** For telling a page that is still open why. Later it is told only that the session ended. */
const NO_STAFF_MOST = 1_000

const noLongerStaff = (): BoundedCache<true> => perProcess('no longer staff', () => boundedCache(NO_STAFF_MOST))

/**
 * Ends a session: its row, its handles and its tokens are gone from the store when this resolves, and this process has let
 * go of it. Every other process does within two seconds (`watch-ends.ts`). Ending one that is over does nothing.
 */
export async function endSession(id: string, why: WhyEnded): Promise<void> {
  sessionsEnded(await deleteSession(await store(), id, why), why)
}

/** Ends every session of a person, by actor; `except` is the id of one to leave. */
export async function endSessionsOf(actor: string, why: WhyEnded, except: string | null = null): Promise<void> {
  sessionsEnded(await deleteSessionsOf(await store(), actor, except, why), why)
}

/** Ends one session or all of a person, by somebody who administers; answers how many there were. */
export async function endSessionsOfOther(end: EndOfOther): Promise<number> {
  const ended = await deleteSessionsOfOther(await store(), end)
  sessionsEnded(ended, 'ended-by-admin')
  return ended.length
}

/** Ends the sessions that came of one session at the identity provider, by the ID token's `sid`. */
export async function endSessionsByIdpSid(sid: string, why: WhyEnded): Promise<void> {
  sessionsEnded(await deleteSessionsByIdpSid(await store(), sid, why), why)
}

/** Ends every session of one subject of the identity provider, by the ID token's `sub`. */
export async function endSessionsByIdpSubject(subject: string, why: WhyEnded): Promise<void> {
  sessionsEnded(await deleteSessionsByIdpSubject(await store(), subject, why), why)
}

/** What is left to do in this process for sessions whose rows are gone. */
export function sessionsEnded(ids: readonly string[], why: WhyEnded): void {
  if (ids.length > 0) log().info({ event: 'session-ended', why, sessions: ids.length })
  for (const id of ids) dropLive(id)
  if (why === 'not-staff') rememberNoStaff(ids)
}

function rememberNoStaff(ids: readonly string[]): void {
  for (const id of ids) noLongerStaff().set(id, true)
}

/** Whether a session was ended in this process because its person is no longer staff. */
export const endedAsNoStaff = (id: string): boolean => noLongerStaff().has(id)
