import 'server-only'
import { log } from '#lib/config/log.ts'
import { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { replaceHandle } from './handle-table.ts'
import { makeHandle } from './vault.ts'

/** For reads in flight with the old handle. */
const GRACE_MS = 30_000

/**
 * Call it after a code was accepted, before the command is sent, and after a change of the second factor: a stolen
 * older handle then may only read. On false, this request must not give the session any right.
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
