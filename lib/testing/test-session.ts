import type { Session } from '#lib/session/session.ts'
import { createSession, openSession } from '#lib/session/vault.ts'
import type { TestService } from './test-service.ts'

/** The handle of a new session in this console's vault, of somebody whom the service knows; with their user id, as after SSO. */
export async function handleOf(service: TestService, email: string, userId: string): Promise<string> {
  const { accessToken, refreshToken, expiresIn } = await service.login(email)
  const now = Date.now()
  return await createSession({
    actor: `sso:${userId}`,
    displayName: email,
    userId,
    method: 'password',
    userAgent: '',
    idpSid: null,
    idpSubject: null,
    tokens: {
      accessToken,
      refreshToken,
      receivedAt: new Date(now).toISOString(),
      endsAt: new Date(now + expiresIn * 1000).toISOString(),
    },
  })
}

export async function signedIn(service: TestService, email: string, userId: string): Promise<Session> {
  const session = await openSession(await handleOf(service, email, userId))
  if (session === null) throw new Error('a new session does not open')
  return session
}
