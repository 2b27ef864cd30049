import type { TableState } from '#components/table/table-state.ts'
import type { QueuePlaces } from '#lib/disputes/queue/queue.ts'
import { queueFor } from '#lib/disputes/queue/queue-view.ts'
import { isUuid } from '#lib/values/ids.ts'
import { readQueueAddress } from '../../../(console)/disputes/queue-address.ts'
import { json, refuse, serveSession, unavailable } from '../../answer.ts'

/** Takes the queue's own parameters, or `around=<case id>`, or `after=<case id>` for the cases that follow it. */
export const GET = (request: Request): Promise<Response> =>
  serveSession(request, async (session) => {
    const query = new URL(request.url).searchParams
    const { filter, state } = readQueueAddress(query)
    const [around, after] = [query.get('around'), query.get('after')]
    if ([around, after].some((id) => id !== null && !isUuid(id))) return refuse(400, 'Give a case id.')
    try {
      const queue = await queueFor(session, filter, placesIn(state, around, after))
      if (queue.index.problem?.kind === 'session-over') return refuse(401, 'Your session has ended.')
      return json({ ok: true, queue })
    } catch (error) {
      return unavailable(error)
    }
  })

function placesIn({ page, size }: TableState, around: string | null, after: string | null): QueuePlaces {
  if (around !== null) return { around }
  return after === null ? { page, size } : { after }
}
