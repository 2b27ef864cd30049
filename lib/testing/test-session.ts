import type { Session } from '#lib/session/session.ts'
import { createSession, openSession } from '#lib/session/vault.ts'
import type { TestService } from './test-service.ts'

/** A session in this console's vault of somebody whom the service knows. Their user id is theirs, as after SSO. */
export async function signedIn(service: TestService, email: string, userId: string): Promise<Session> {
  const { accessToken, refreshToken, expiresIn } = await service.login(email)
  const now = Date.now()
  const handle = await createSession({
    actor: `sso:${userId}`,
    displayName: email,
    userId,
    method: 'password',
    tokens: {
      accessToken,
      refreshToken,
      receivedAt: new Date(now).toISOString(),
      endsAt: new Date(now + expiresIn * 1000).toISOString(),
    },
  })
  const session = await openSession(handle)
  if (session === null) throw new Error('a new session does not open')
  return session
}
