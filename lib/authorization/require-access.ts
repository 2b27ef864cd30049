import 'server-only'
import { requireSession } from '#lib/session/current.ts'
import type { Session } from '#lib/session/session.ts'
import { type Refusal, refusedFrom } from './judge.ts'
import type { ThingEntry } from './routes.ts'

export async function requireAccess(
  entry: ThingEntry,
): Promise<{ readonly session: Session; readonly refusal: Refusal | null }> {
  const session = await requireSession()
  return { session, refusal: await refusedFrom(session, entry) }
}
