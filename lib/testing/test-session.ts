import { randomUUID } from 'node:crypto'
import type { Session } from '#lib/session/session.ts'
import { createSession, openSession } from '#lib/session/vault/vault.ts'
import type { TestService } from './test-service.ts'

/** The handle of a new session in this console's vault, of somebody whom the service knows; with their user id, as after SSO. */
export const handleOf = (service: TestService, email: string, userId: string): Promise<string> =>
  newSession(service, email, { actor: `sso:${userId}`, userId })

export const signedIn = async (service: TestService, email: string, userId: string): Promise<Session> =>
  await opened(await handleOf(service, email, userId))

/** Somebody whose scopes cannot be known: the service finds no user of such an id. */
export const signedInUnread = async (service: TestService, email: string): Promise<Session> =>
  await opened(await newSession(service, email, { actor: `password:${email}`, userId: randomUUID() }))

async function newSession(
  service: TestService,
  email: string,
  who: { readonly actor: string; readonly userId: string },
): Promise<string> {
  const { accessToken, refreshToken, expiresIn } = await service.login(email)
  const now = Date.now()
  return await createSession({
    ...who,
    displayName: email,
    // Renewed at the service, whose own tokens these are; and not asked again whether they are staff.
    method: 'password',
    admittedBy: 'claim',
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

async function opened(handle: string): Promise<Session> {
  const session = await openSession(handle)
  if (session === null) throw new Error('a new session does not open')
  return session
}
