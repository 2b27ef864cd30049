import type { TableState } from '#components/table/table-state.ts'
import type { QueuePlaces } from '#lib/disputes/queue/queue.ts'
import { queueFor, type ShownRows } from '#lib/disputes/queue/queue-view.ts'
import { isUuid } from '#lib/values/uuid.ts'
import { readQueueAddress } from '../../../(console)/disputes/queue-address.ts'
import { json, refuse, serveOwn, unavailable } from '../../answer.ts'

/** As many as a page of a table has rows. */
const SHOWN_MAX = 100

/**
 * `?status=…&claim=…&page=…`: the cases that an address of the queue asks for, or with `around=…` those around a case, with
 * `after=…` the first few that come after one. With `shown` and `arrival` it tells what moved since. Asking is no activity: it keeps no session alive.
 */
export function GET(request: Request): Promise<Response> {
  return serveOwn(request, async (session) => {
    const query = new URL(request.url).searchParams
    const { asked, state } = readQueueAddress(query)
    const [around, after] = [query.get('around'), query.get('after')]
    const shown = shownIn(query)
    if (shown === 'wrong' || [around, after].some((id) => id !== null && !isUuid(id))) {
      return refuse(400, `It takes the ids of up to ${SHOWN_MAX} cases, and a number.`)
    }
    const places = placesIn(state, around, after)
    try {
      const queue = await queueFor(session, asked, places, shown)
      if (queue.index.problem?.kind === 'session-over') return refuse(401, 'Your session has ended.')
      return json({ ok: true, queue })
    } catch (error) {
      return unavailable(error)
    }
  })
}

function placesIn({ page, size }: TableState, around: string | null, after: string | null): QueuePlaces {
  if (around !== null) return { around }
  return after === null ? { page, size } : { after }
}

function shownIn(query: URLSearchParams): ShownRows | null | 'wrong' {
  const [told, arrival] = [query.get('shown'), query.get('arrival')]
  if (told === null || arrival === null) return null
  const ids = told === '' ? [] : told.split(',')
  const fits = ids.length <= SHOWN_MAX && ids.every(isUuid) && /^\d{1,15}$/.test(arrival)
  return fits ? { ids, arrival: Number(arrival) } : 'wrong'
}
