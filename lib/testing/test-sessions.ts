import type { Session } from '#lib/session/session.ts'
import { createSession, type NewSession, openSession } from '#lib/session/vault/vault.ts'

export const ACCESS_TOKEN = 'canary-access-token'
export const REFRESH_TOKEN = 'canary-refresh-token'

/** Puts a session into the vault as a sign-in does; answers its handle. */
export function signInForTest(change: Partial<NewSession> = {}): Promise<string> {
  return createSession({
    actor: 'sso:1',
    displayName: 'operator@example.com',
    userId: '1',
    method: 'sso',
    admittedBy: 'claim',
    userAgent: 'a browser',
    idpSid: null,
    idpSubject: null,
    tokens: {
      accessToken: ACCESS_TOKEN,
      refreshToken: REFRESH_TOKEN,
      receivedAt: new Date().toISOString(),
      endsAt: new Date(Date.now() + 600_000).toISOString(),
    },
    ...change,
  })
}

/** The session behind a handle that must open. */
export async function openForTest(handle: string): Promise<Session> {
  const session = await openSession(handle)
  if (session === null) throw new Error('the handle opens nothing')
  return session
}
