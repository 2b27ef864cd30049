'use client'

import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { announceOpenCases } from '#components/frame/rail-link.tsx'
import { followTopic } from '#components/news/news.ts'
import { askConsole, problemIn } from '#components/service/ask-console.ts'
import type { Problem } from '#lib/contract/problem.ts'
import type { TransactionFacts } from '#lib/disputes/queue/fact.ts'
import {
  type FollowedQueue,
  isOlder,
  newsOf,
  noNews,
  type QueueAsked,
  type QueueNews,
  type QueueView,
  type ToldQueue,
} from '#lib/disputes/queue/queue.ts'
import { withThreads } from '#lib/disputes/unread/with-threads.ts'

export interface CurrentQueue {
  /** Rows do not move until `show` is called. */
  readonly view: QueueView
  readonly latest: QueueView
  readonly marks: ReadonlyMap<string, Mark>
  readonly news: QueueNews
  /** Facts for the rows of `latest`, as streamed. */
  readonly facts: TransactionFacts
  /** Why updates fail; null while they work. */
  readonly problem: Problem | null
  /** Whether `view` still answers another address. */
  readonly pending: boolean
  /** Reads the rows again and shows them at once; for use after the operator's own change. */
  readAgain(): Promise<void>
  show(): void
}

interface Wanted {
  readonly address: string
  readonly asked: QueueAsked
}

const NO_FACTS: TransactionFacts = {}
const NOTHING_SHOWN = { ids: [], arrival: 0 }

/**
 * The newest view that this browser tab has received. Set only in the browser: on the server, it would be shared by all
 * operators.
 */
let newest: QueueView | null = null

/** Saves the view and sends the number of open cases to the rail. */
function tellNewest(view: QueueView): void {
  if (newest !== null && isOlder(view, newest)) return
  newest = view
  announceOpenCases(view.open)
}

/** Keeps a queue current with streamed updates. `initial` answers `initialAddress`. */
export function useCurrentQueue(
  initial: QueueView,
  initialAddress: string,
  { address, asked }: Wanted = { address: initialAddress, asked: initial.asked },
): CurrentQueue {
  const [now, setNow] = useState(() => begin(initial, initialAddress, newest))
  const [came, setCame] = useState(initial)
  const wanted = useRef(address)
  useEffect(() => {
    wanted.current = address
  }, [address])
  if (came !== initial) {
    setCame(initial)
    setNow(given(now, initial, initialAddress, newest))
  }
  const { shown, latest } = now
  const pending = now.address !== address
  const followed = JSON.stringify({
    asked,
    places: initial.places,
    shown: pending ? NOTHING_SHOWN : { ids: shown.rows.map(({ id }) => id), arrival: shown.arrival },
  } satisfies FollowedQueue)
  const { problem, facts } = useFollowed(followed, pending || now.replaceable, (view) => {
    setNow((before) => told(before, view, address))
    tellNewest(view)
  })
  useEffect(() => tellNewest(initial), [initial])
  const news = useMemo(() => (latest.since === null ? noNews : newsOf(shown.rows, latest)), [latest, shown.rows])
  return {
    view: useMemo(() => ({ ...shown, rows: withThreads(shown.rows, latest.rows) }), [shown, latest]),
    latest,
    marks: useMemo(() => marksWith(now.marks, news), [now.marks, news]),
    ...{ news, facts, problem, pending },
    async readAgain() {
      const read = await readQueue(address)
      // Skipped if the operator has moved to another address meanwhile.
      if (read.ok && wanted.current === address) setNow((before) => answered(before, read.value, address))
    },
    show: () => setNow(shownAnew),
  }
}

/** `atOnce` requests the first update immediately, because the page came without these cases. */
function useFollowed(followed: string, atOnce: boolean, onView: (view: QueueView) => void) {
  const [problem, setProblem] = useState<Problem | null>(null)
  const [facts, setFacts] = useState(NO_FACTS)
  const tell = useEffectEvent(onView)
  const isUrgent = useEffectEvent(() => atOnce)
  useEffect(
    () =>
      followTopic<ToldQueue>(
        `queue ${followed}`,
        (heard) => {
          setProblem(heard.ok ? null : heard.problem)
          if (!heard.ok) return
          setFacts(heard.value.facts)
          tell(heard.value.queue)
        },
        { atOnce: isUrgent() },
      ),
    [followed],
  )
  return { problem, facts }
}

/** Adds marks for later changes to the marks of the rows that were just shown. */
const marksWith = (kept: ReadonlyMap<string, Mark>, { changed, gone }: QueueNews): ReadonlyMap<string, Mark> =>
  new Map([...kept, ...changed.map((id) => [id, 'changed'] as const), ...gone.map((id) => [id, 'gone'] as const)])

export type Mark = 'new' | 'changed' | 'gone'

interface Current {
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

const NO_MARKS: ReadonlyMap<string, Mark> = new Map()

const isPart = ({ index }: QueueView): boolean => index.completeAt === null

/** `newest` is the newest view that this browser has received, for any address. */
export const begin = (view: QueueView, address: string, newest: QueueView | null): Current => ({
  ...{ shown: view, address, marks: NO_MARKS, latest: view },
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
  return { shown: settled, address, marks: NO_MARKS, latest: settled, replaceable: isPart(view) }
}

export type Asked<Value> =
  | { readonly ok: true; readonly value: Value }
  /** A problem of the console. A problem of the service is part of the queue view. */
  | { readonly ok: false; readonly problem: Problem }

export async function readQueue(address: string): Promise<Asked<QueueView>> {
  const answer = await askConsole(`/api/disputes/queue?${address}`)
  if (answer?.status !== 200) return { ok: false, problem: problemIn(answer) }
  return { ok: true, value: (answer.body as { queue: QueueView }).queue }
}

/** `3 new, 1 changed, 2 gone`; empty when there are no changes. */
export function newsWords({ added, changed, gone, moved }: QueueNews): string {
  const parts: readonly (readonly [count: number, word: string])[] = [
    [added, 'new'],
    [changed.length, 'changed'],
    [gone.length, 'gone'],
  ]
  const told = parts.flatMap(([count, word]) => (count === 0 ? [] : [`${count.toLocaleString('en-US')} ${word}`]))
  return told.length === 0 && moved ? 'Rows moved' : told.join(', ')
}
