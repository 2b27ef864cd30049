import { everyOpenCase } from '#lib/disputes/queue/queue.ts'
import { queueFor } from '#lib/disputes/queue/queue-view.ts'
import { may, readAccess } from '#lib/service/scopes.ts'
import type { Session } from '#lib/session/session.ts'
import { HomeNumber } from './home-number.tsx'

/** How many dispute cases are open, where the whole list of everybody's says so. */
export async function OpenDisputesNumber({ session }: { session: Session }) {
  const scope = 'core:disputes:read'
  if (!may(await readAccess(session), scope)) return <Shown value={null} why={`it needs the scope ${scope}`} />
  const { open: count } = await queueFor(session, everyOpenCase, { page: 1, size: 1 })
  if (typeof count === 'number') return <Shown value={count} why="everybody’s" />
  return <Shown value={null} why={count === null ? 'you are shown only cases of your own' : count.notKnown} />
}

const Shown = ({ value, why }: { value: number | null; why: string }) => (
  <HomeNumber title="Open disputes" href="/disputes" value={value}>
    {why}
  </HomeNumber>
)
