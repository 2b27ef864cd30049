import 'server-only'
import { log } from '#lib/config/log.ts'
import { HANDLE_COOKIE, handleCookieOptions } from '#lib/session/cookie.ts'
import { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { splitHandle } from './handle.ts'
import { replaceHandle } from './handle-table.ts'
import { makeHandle } from './vault.ts'

/** For requests that are on their way with the old handle. */
const OLD_ANSWERS_FOR_MS = 30_000

/** What `cookies()` of a route handler gives, as far as it is needed here. */
interface CookieJar {
  get(name: string): { readonly value: string } | undefined
  set(name: string, value: string, options: typeof handleCookieOptions & { readonly expires: Date }): unknown
}

/**
 * Gives the session a new handle when what it may do has just changed: after step-up, and after a change of the second
 * factor. Sign-in makes a new one anyway. The old handle answers for 30 more seconds. A request that comes with a handle
 * that is replaced already changes nothing. Never throws: what the request has done stands whatever becomes of this.
 */
export async function rotateHandle(session: Session, jar: CookieJar): Promise<void> {
  const old = splitHandle(jar.get(HANDLE_COOKIE)?.value ?? '')
  if (old === null) return
  const { handle, row } = makeHandle(session.id, Session.dataKeyOf(session))
  const oldAnswersUntil = new Date(Date.now() + OLD_ANSWERS_FOR_MS).toISOString()
  try {
    const replaced = await replaceHandle(await store(), old.idHash, oldAnswersUntil, row)
    if (replaced) jar.set(HANDLE_COOKIE, handle, { ...handleCookieOptions, expires: new Date(session.endsAt) })
  } catch (error) {
    log().error({ event: 'rotate-handle', error: error instanceof Error ? error.name : 'unknown' })
  }
}
