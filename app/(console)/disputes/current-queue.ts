import { isOlder, newsOf, type QueueView } from '#lib/disputes/queue/queue.ts'

export type Mark = 'new' | 'changed' | 'gone'

/** What a page of the queue shows, and the latest that it knows. */
export interface Current {
  /** Nothing of it moves before it is shown anew. */
  readonly shown: QueueView
  /** The query that asks for it. */
  readonly address: string
  /** What the latest {@link shownAnew} brought. */
  readonly marks: ReadonlyMap<string, Mark>
  /** The latest that is known of the cases at {@link address}. */
  readonly latest: QueueView
  /** The page came with less than this browser knew by then, or with a part: what is told first takes its place. */
  readonly replaceable: boolean
}

const NO_MARKS: ReadonlyMap<string, Mark> = new Map()

const isPart = ({ index }: QueueView): boolean => index.completeAt === null

/** What came with a page; `newest` is what this browser has been told before, of any page. */
export const begin = (view: QueueView, address: string, newest: QueueView | null): Current => ({
  ...{ shown: view, address, marks: NO_MARKS, latest: view },
  replaceable: isPart(view) || (newest !== null && isOlder(view, newest)),
})

/** The same place read anew stays as it is shown, and what moved is told by news; another place takes its place. */
export const given = (now: Current, view: QueueView, address: string, newest: QueueView | null): Current =>
  now.address === address && !isPart(now.shown) ? now : begin(view, address, newest)

/** By news. What was read before the latest that is known says nothing. */
export function told(now: Current, view: QueueView, address: string): Current {
  if (now.address === address && isOlder(view, now.latest)) return now
  const isPut = now.address !== address || (now.replaceable && !isPart(view))
  return isPut ? put(view, address) : { ...now, latest: view }
}

/** In answer to what the person has done: in place at once, or what is known by then and newer. */
export const answered = (now: Current, view: QueueView, address: string): Current =>
  put(now.address === address && isOlder(view, now.latest) ? now.latest : view, address)

/** Puts the latest in place, marked. */
export function shownAnew({ shown, latest, address }: Current): Current {
  const { changed } = newsOf(shown.rows, latest)
  const marks = new Map([
    ...(latest.since?.arrivedHere ?? []).map((id) => [id, 'new'] as const),
    ...changed.map((id) => [id, 'changed'] as const),
  ])
  return { ...put(latest, address), marks }
}

function put(view: QueueView, address: string): Current {
  const settled = { ...view, since: null }
  return { shown: settled, address, marks: NO_MARKS, latest: settled, replaceable: isPart(view) }
}
