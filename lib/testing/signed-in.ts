import { putPerProcess } from '#lib/config/per-process.ts'
import type { Session, SignInMethod } from '#lib/session/session.ts'
import { findSession, type SessionRow } from '#lib/session/vault/session-table.ts'
import { store } from '#lib/store/store.ts'
import { openForTest, signInForTest } from './test-sessions.ts'

const LIFE_MS = 600_000

/** A session whose access token, `access-0`, has so much of its life behind it: 1 is its end. */
export async function signedIn(
  age: number,
  method: SignInMethod = 'sso',
  refreshToken = 'refresh-0',
): Promise<Session> {
  const received = Date.now() - age * LIFE_MS
  const handle = await signInForTest({
    method,
    tokens: {
      accessToken: 'access-0',
      refreshToken,
      receivedAt: new Date(received).toISOString(),
      endsAt: new Date(received + LIFE_MS).toISOString(),
    },
  })
  return await openForTest(handle)
}

export const rowOf = async ({ id }: Session): Promise<SessionRow | undefined> => findSession(await store(), id)

/** Lets a session's access token be past its end. */
export async function expireAccess({ id }: Session): Promise<void> {
  await (await store())
    .updateTable('session')
    .set({ access_ends_at: new Date(Date.now() - 1).toISOString() })
    .where('id', '=', id)
    .execute()
  putPerProcess('access tokens', undefined)
}
