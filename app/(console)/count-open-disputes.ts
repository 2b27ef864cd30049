import { everyOpenCase } from '#lib/disputes/queue/queue.ts'
import { queueFor } from '#lib/disputes/queue/queue-view.ts'
import { may, readAccess } from '#lib/service/scopes.ts'
import type { Session } from '#lib/session/session.ts'
import type { Counted } from './home-number.tsx'

/** How many dispute cases are open, where the whole list of everybody's says so. */
export async function countOpenDisputes(session: Session): Promise<Counted> {
  const scope = 'core:disputes:read'
  if (!may(await readAccess(session), scope)) return { value: null, words: `it needs the scope ${scope}` }
  const { open: count } = await queueFor(session, everyOpenCase, { page: 1, size: 1 })
  if (typeof count === 'number') return { value: count, words: 'everybody’s' }
  return { value: null, words: count === null ? 'you are shown only cases of your own' : count.notKnown }
}
