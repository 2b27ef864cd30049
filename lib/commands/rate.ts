import 'server-only'
import type { Session } from '#lib/session/session.ts'
import { countDraftsSince } from '#lib/store/open-commands.ts'
import { store } from '#lib/store/store.ts'

/** More changes than this are not made by hand. */
export const CHANGES_MAX = 60
const WINDOW_MS = 10 * 60_000
const PAUSE_SECONDS = 60

/** Null while an operator may go on; else for how many seconds to pause. */
export async function tooManyChanges(session: Session): Promise<number | null> {
  const since = new Date(Date.now() - WINDOW_MS).toISOString()
  return (await countDraftsSince(await store(), session.actor, since)) < CHANGES_MAX ? null : PAUSE_SECONDS
}
