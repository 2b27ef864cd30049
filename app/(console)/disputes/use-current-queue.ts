'use client'

import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { announceOpenCases } from '#components/frame/open-cases.ts'
import { followTopic } from '#components/news/news.ts'
import type { Problem } from '#lib/contract/problem.ts'
import type { TransactionFacts } from '#lib/disputes/queue/queue.ts'
import {
  type FollowedQueue,
  isOlder,
  newsOf,
  noNews,
  type QueueAsked,
  type QueueNews,
  type QueueUpdate,
  type QueueView,
} from '#lib/disputes/queue/queue.ts'
import { withThreads } from '#lib/disputes/unread/thread-state.ts'
import { answered, begin, given, type Mark, shownAnew, told } from './current-queue.ts'
import { readQueue } from './queue-requests.ts'

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
      followTopic<QueueUpdate>(
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
