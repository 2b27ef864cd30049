'use client'

import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { announceOpenCases } from '#components/frame/open-cases.ts'
import { followTopic } from '#components/news/news.ts'
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
import { answered, begin, given, type Mark, shownAnew, told } from './current-queue.ts'
import { readQueue } from './queue-requests.ts'

export interface CurrentQueue {
  /** What is shown: nothing of it moves before `show`. */
  readonly view: QueueView
  /** The latest that is known of it. */
  readonly latest: QueueView
  readonly marks: ReadonlyMap<string, Mark>
  readonly news: QueueNews
  /** Of the rows of `latest`, as they were told. */
  readonly facts: TransactionFacts
  /** Why nothing newer is known; null when it is. */
  readonly problem: Problem | null
  /** Whether what is shown is of another address, and the rows of this one are on their way. */
  readonly pending: boolean
  /** Reads the rows again and puts them in place at once: the person has changed them. */
  readAgain(): Promise<void>
  /** Puts the news in place, marked. */
  show(): void
}

interface Wanted {
  /** The query that asks for it. */
  readonly address: string
  readonly asked: QueueAsked
}

const NO_FACTS: TransactionFacts = {}
const NOTHING_SHOWN = { ids: [], arrival: 0 }

/** The newest that this browser tab has been told. Set in the browser only: the server renders for everyone. */
let newest: QueueView | null = null

/** Keeps it, and tells the rail how many cases are open. */
function tellNewest(view: QueueView): void {
  if (newest !== null && isOlder(view, newest)) return
  newest = view
  announceOpenCases(view.open)
}

/** The cases that are wanted, kept current by news. `initial` is what the page came with, in answer to `initialAddress`. */
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
      // Unless the person has gone to another place meanwhile.
      if (read.ok && wanted.current === address) setNow((before) => answered(before, read.value, address))
    },
    show: () => setNow(shownAnew),
  }
}

/** What is told of the cases that are followed, and why nothing is. `atOnce`: nothing of them came with the page. */
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

/** What was just put in place keeps its mark; what has changed since, or went, is marked where it stands. */
const marksWith = (kept: ReadonlyMap<string, Mark>, { changed, gone }: QueueNews): ReadonlyMap<string, Mark> =>
  new Map([...kept, ...changed.map((id) => [id, 'changed'] as const), ...gone.map((id) => [id, 'gone'] as const)])
