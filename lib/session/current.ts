import 'server-only'
import { cookies, headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { cache } from 'react'
import { setRequestPerson } from '#lib/config/log.ts'
import { CONSOLE_PATH_HEADER, signInPath } from '#lib/session/sign-in/paths.ts'
import { openSession } from '#lib/session/vault/vault.ts'
import { store } from '#lib/store/store.ts'
import { HANDLE_COOKIE } from './cookie.ts'
import { endedAsNoStaff } from './end-session.ts'
import type { Session } from './session.ts'
import { splitHandle } from './vault/handle-table.ts'
import { isEndedByAdmin } from './vault/session-table.ts'

export const currentSession = cache(async (): Promise<Session | null> => {
  const handle = (await cookies()).get(HANDLE_COOKIE)?.value
  const session = handle === undefined ? null : await openSession(handle)
  if (session !== null) setRequestPerson(session.userId)
  return session
})

export async function requireSession(): Promise<Session> {
  const session = await currentSession()
  if (session !== null) return session
  return await leaveForSignIn()
}

export async function leaveForSignIn(): Promise<never> {
  const here = (await headers()).get(CONSOLE_PATH_HEADER) ?? '/'
  // Null when the session was over before this request.
  const session = await currentSession()
  const why = session !== null && endedAsNoStaff(session.id) ? 'not-staff' : await whyEnded()
  redirect(signInPath(why, here))
}

export async function whyEnded(): Promise<'ended' | 'ended-by-admin'> {
  const halves = splitHandle((await cookies()).get(HANDLE_COOKIE)?.value ?? '')
  return halves !== null && (await isEndedByAdmin(await store(), halves.idHash)) ? 'ended-by-admin' : 'ended'
}
