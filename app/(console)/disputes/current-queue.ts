import { isOlder, newsOf, type QueueView } from '#lib/disputes/queue/queue.ts'

export type Mark = 'new' | 'changed' | 'gone'

export interface Current {
  /** Rows do not move or change until the operator asks for it. */
  readonly shown: QueueView
  /** The query string that `shown` and `latest` answer. */
  readonly address: string
  /** Set by {@link shownAnew}. */
  readonly marks: ReadonlyMap<string, Mark>
  readonly latest: QueueView
  /**
   * The page was rendered with a partial list, or with older data than this browser has. The next update replaces
   * `shown` at once.
   */
  readonly replaceable: boolean
}

const NO_FLAGS: ReadonlyMap<string, Mark> = new Map()

const isPart = ({ index }: QueueView): boolean => index.completeAt === null

/** `newest` is the newest view that this browser has received, for any address. */
export const begin = (view: QueueView, address: string, newest: QueueView | null): Current => ({
  ...{ shown: view, address, marks: NO_FLAGS, latest: view },
  replaceable: isPart(view) || (newest !== null && isOlder(view, newest)),
})

/** A new render of the same address does not move the shown rows; another address replaces them. */
export const given = (now: Current, view: QueueView, address: string, newest: QueueView | null): Current =>
  now.address === address && !isPart(now.shown) ? now : begin(view, address, newest)

/** Applies a streamed update. A view older than the latest known one is ignored. */
export function told(now: Current, view: QueueView, address: string): Current {
  if (now.address === address && isOlder(view, now.latest)) return now
  const isPut = now.address !== address || (now.replaceable && !isPart(view))
  return isPut ? put(view, address) : { ...now, latest: view }
}

/** Applies the answer to the operator's own change: shows it at once, or the latest known view if that is newer. */
export const answered = (now: Current, view: QueueView, address: string): Current =>
  put(now.address === address && isOlder(view, now.latest) ? now.latest : view, address)

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
  return { shown: settled, address, marks: NO_FLAGS, latest: settled, replaceable: isPart(view) }
}
