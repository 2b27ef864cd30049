import 'server-only'
import { log } from '#lib/config/log.ts'
import { type BoundedCache, boundedCache, perProcess } from '#lib/config/per-process.ts'
import { store } from '#lib/store/store.ts'
import { removeLiveSession } from './live-sessions.ts'
import {
  deleteSession,
  deleteSessionsByIdpSid,
  deleteSessionsByIdpSubject,
  deleteSessionsOf,
  deleteSessionsOfOther,
  type EndOfOther,
  type WhyEnded,
} from './vault/session-table.ts'

/** Beyond this, a page shows only that the session ended. */
const NO_STAFF_MOST = 1_000

const noLongerStaff = (): BoundedCache<true> => perProcess('no longer staff', () => boundedCache(NO_STAFF_MOST))

/** Other processes drop the session within two seconds (`live-sessions.ts`). */
export async function endSession(id: string, why: WhyEnded): Promise<void> {
  sessionsEnded(await deleteSession(await store(), id, why), why)
}

export async function endSessionsOf(actor: string, why: WhyEnded, except: string | null = null): Promise<void> {
  sessionsEnded(await deleteSessionsOf(await store(), actor, except, why), why)
}

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

/** Call it after the rows were deleted. */
export function sessionsEnded(ids: readonly string[], why: WhyEnded): void {
  if (ids.length > 0) log().info({ event: 'session-ended', why, sessions: ids.length })
  for (const id of ids) removeLiveSession(id)
  if (why === 'not-staff') for (const id of ids) noLongerStaff().set(id, true)
}

/** Knows only sessions that this process ended. */
export const endedAsNoStaff = (id: string): boolean => noLongerStaff().has(id)
