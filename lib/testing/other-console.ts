import { randomUUID } from 'node:crypto'
import { type Session, saveGrant } from '#lib/session/session.ts'
import type { Variant } from '#lib/testing/other-service/variants.ts'
import type { OtherService } from './other-service/other-service.ts'
import { freshConsole } from './test-console.ts'
import { openForTest, signInForTest } from './test-sessions.ts'

/** Wallet holders at the other service, as it knows them. */
export const PAYER = 'aaaaaaaa-0000-4000-8000-00000000000a'
export const PAYEE = 'bbbbbbbb-0000-4000-8000-00000000000b'

/** A console and the other service, fresh, and a person of the staff who is admin there. */
export async function otherConsole(
  service: OtherService,
  variant: Partial<Variant> = {},
  environment: Readonly<Record<string, string>> = {},
): Promise<Session> {
  service.reset(variant)
  await freshConsole({ CORE_API_URL: service.url, ...environment })
  return await staffAt(service)
}

/** Somebody else of the staff. */
export async function staffAt(service: OtherService, factor: 'none' | 'on' = 'on'): Promise<Session> {
  const userId = randomUUID()
  const accessToken = `bearer-${userId}`
  const { refreshToken } = service.admit(accessToken, userId, true, factor)
  const times = { receivedAt: new Date().toISOString(), endsAt: new Date(Date.now() + 600_000).toISOString() }
  const handle = await signInForTest({
    actor: `sso:${userId}`,
    userId,
    method: 'password',
    displayName: `${userId}@example.com`,
    tokens: { accessToken, refreshToken, ...times },
  })
  return await openForTest(handle)
}

/** As after a code: gated changes of this session carry a grant that the service takes. */
export function verified(service: OtherService, session: Session): void {
  const grant = randomUUID()
  service.personOf(session).grants.add(grant)
  saveGrant(session, grant, new Date(Date.now() + 300_000).toISOString())
}
