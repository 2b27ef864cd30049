import 'server-only'
import { log } from '#lib/config/log.ts'
import { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { replaceHandle } from './handle-table.ts'
import { makeHandle } from './vault.ts'

/** For reads in flight with the old handle. */
const GRACE_MS = 30_000

/**
 * Replaces the handle when the session gains rights or its second factor changes, so that a stolen older handle gains
 * nothing. Requests with the old handle may only read. On false the session must not gain any right by this request.
 */
export async function rotateHandle(session: Session): Promise<boolean> {
  const { handle, row } = makeHandle(session.id, Session.dataKeyOf(session))
  const graceEndsAt = new Date(Date.now() + GRACE_MS).toISOString()
  try {
    const isReplaced = await replaceHandle(await store(), Session.handleOf(session).idHash, graceEndsAt, row)
    if (isReplaced) Session.rotate(session, row.id_hash, handle)
    return isReplaced
  } catch (error) {
    log().error({ event: 'rotate-handle', error: error instanceof Error ? error.name : 'unknown' })
    return false
  }
}
