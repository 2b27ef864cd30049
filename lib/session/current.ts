import 'server-only'
import { cookies, headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { cache } from 'react'
import { notePerson } from '#lib/config/work-context.ts'
import { CONSOLE_PATH_HEADER, signInPath } from '#lib/session/sign-in/paths.ts'
import { splitHandle } from '#lib/session/vault/handle.ts'
import { openSession } from '#lib/session/vault/vault.ts'
import { store } from '#lib/store/store.ts'
import { HANDLE_COOKIE } from './cookie.ts'
import { endedAsNoStaff } from './end-session.ts'
import type { Session } from './session.ts'
import { isEndedByAdmin } from './session-end-table.ts'

/** The session of this request, looked up once; null when nobody is signed in. */
export const currentSession = cache(async (): Promise<Session | null> => {
  const handle = (await cookies()).get(HANDLE_COOKIE)?.value
  const session = handle === undefined ? null : await openSession(handle)
  if (session !== null) notePerson(session.userId)
  return session
})

/** The guard of every page: the session, or a redirect to sign-in that comes back to this very address. */
export async function requireSession(): Promise<Session> {
  const session = await currentSession()
  if (session !== null) return session
  return await leaveForSignIn()
}

/** Sends the person to sign-in because the session is over, saying why, and back here afterwards. */
export async function leaveForSignIn(): Promise<never> {
  const here = (await headers()).get(CONSOLE_PATH_HEADER) ?? '/'
  // Null when it was over before this request.
  const session = await currentSession()
  const why = session !== null && endedAsNoStaff(session.id) ? 'not-staff' : await whyEnded()
  redirect(signInPath(why, here))
}

/** Why the session that this browser had is over, as far as its person is to know. */
export async function whyEnded(): Promise<'ended' | 'ended-by-admin'> {
  const halves = splitHandle((await cookies()).get(HANDLE_COOKIE)?.value ?? '')
  return halves !== null && (await isEndedByAdmin(await store(), halves.idHash)) ? 'ended-by-admin' : 'ended'
}
