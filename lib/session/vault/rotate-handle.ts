import 'server-only'
import { log } from '#lib/config/log.ts'
import { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { replaceHandle } from './handle-table.ts'
import { makeHandle } from './vault.ts'

/** For reads that are on their way with the old handle. */
const GRACE_MS = 30_000

/**
 * Replaces the handle of a session when what it may do has just changed: when a code was accepted, before anything is
 * sent, and after a change of the second factor. This request continues with the new handle; every other request that
 * came with the old one may only read. False when another request was first, or the store failed: then the session
 * must not gain anything by this request.
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
