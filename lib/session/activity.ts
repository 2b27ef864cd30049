import 'server-only'
import { saveActivity } from '#lib/session/vault/session-table.ts'
import { store } from '#lib/store/store.ts'
import type { Session } from './session.ts'

/**
 * A person used a key or a pointer: the idle limit counts from now. Nothing else moves it; in particular no page, poll
 * or stream does. Answers the time of the activity, ISO 8601.
 */
export async function recordActivity(session: Session): Promise<string> {
  const now = new Date().toISOString()
  await saveActivity(await store(), session.id, now)
  return now
}
