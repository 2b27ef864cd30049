import 'server-only'
import { saveActivity } from '#lib/session/vault/session-table.ts'
import { store } from '#lib/store/store.ts'
import type { Session } from './session.ts'

/** Only keys and pointers extend the idle limit, never a request. Returns the new time, ISO 8601. */
export async function recordActivity(session: Session): Promise<string> {
  const now = new Date().toISOString()
  await saveActivity(await store(), session.id, now)
  return now
}
