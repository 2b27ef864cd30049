'use client'

import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { announceOpenCases } from '#components/frame/open-cases.ts'
import { pollInTurn } from '#components/service/poll-in-turn.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { newsOf, noNews, type QueueNews, type QueueView } from '#lib/disputes/queue/queue.ts'
import { withThreads } from '#lib/disputes/unread/with-threads.ts'
import { readQueue } from './queue-requests.ts'

/** A little longer than the server lets a look at the list serve, so that every question brings a new one. */
const POLL_EVERY_MS = 31_000
/** While the list is being read. */
const POLL_READING_MS = 5_000

export type Mark = 'new' | 'changed' | 'gone'

export interface PolledQueue {
  /** What is shown: nothing of it moves before `show`. */
  readonly view: QueueView
  /** The latest that is known of it. */
  readonly latest: QueueView
  readonly marks: ReadonlyMap<string, Mark>
  readonly news: QueueNews
  /** Why the console gave no answer to the latest question; null when it did. */
  readonly problem: Problem | null
  /** Whether what is shown is of another address, and the rows of this one are on their way. */
  readonly pending: boolean
  /** Reads the rows again and puts them in place at once: the person has changed them. */
  readAgain(): Promise<void>
  /** Puts the news in place, marked. */
  show(): void
}

interface Shown {
  readonly view: QueueView
  /** What the latest `show` brought. */
  readonly marks: ReadonlyMap<string, Mark>
  /** The query that asks for it. */
  readonly address: string
}

const NO_MARKS: ReadonlyMap<string, Mark> = new Map()

/** The cases that an address asks for, asked for again while the page is seen. `initial` is what the page came with. */
export function usePolledQueue(initial: QueueView, initialAddress: string, address = initialAddress): PolledQueue {
  const [shown, setShown] = useState<Shown>({ view: initial, marks: NO_MARKS, address: initialAddress })
  const [latest, setLatest] = useState(initial)
  const [given, setGiven] = useState(initial)
  const wanted = useRef(address)
  useEffect(() => {
    wanted.current = address
  }, [address])
  const put = (view: QueueView, at: string, marks = NO_MARKS) => {
    const settled = { ...view, since: null }
    setShown({ view: settled, marks, address: at })
    setLatest(settled)
  }
  if (given !== initial) {
    setGiven(initial)
    // The same place read anew is asked for once more, for what moved; another place takes its place.
    if (shown.address !== initialAddress || !isComplete(shown.view)) put(initial, initialAddress)
  }
  const problem = usePolling({
    ...{ initial, address },
    reading: latest.index.reading !== null,
    shownAt: () =>
      shown.address === address ? { ids: idsOf(shown.view), arrival: shown.view.arrival } : NOTHING_SHOWN,
    onView(view) {
      announceOpenCases(view.open)
      // In the place of a part, the first that is complete is put at once: nobody works with a part.
      if (shown.address !== address || (isComplete(view) && !isComplete(shown.view))) put(view, address)
      else setLatest(view)
    },
  })
  const news = useMemo(
    () => (latest.since === null ? noNews : newsOf(shown.view.rows, latest)),
    [latest, shown.view.rows],
  )
  const marks = useMemo(() => marksWith(shown.marks, news), [shown.marks, news])
  return {
    view: useMemo(() => ({ ...shown.view, rows: withThreads(shown.view.rows, latest.rows) }), [shown.view, latest]),
    latest,
    marks,
    news,
    problem,
    pending: shown.address !== address,
    async readAgain() {
      const read = await readQueue(address)
      // Unless the person has gone to another place meanwhile.
      if (read.ok && wanted.current === address) put(read.value, address)
    },
    show: () => put(latest, shown.address, marksOf(latest, news)),
  }
}

const isComplete = ({ index }: QueueView): boolean => index.completeAt !== null
const idsOf = ({ rows }: QueueView): readonly string[] => rows.map(({ id }) => id)
const NOTHING_SHOWN = { ids: [], arrival: 0 }

interface Polling {
  readonly initial: QueueView
  readonly address: string
  readonly reading: boolean
  readonly shownAt: () => { readonly ids: readonly string[]; readonly arrival: number }
  readonly onView: (view: QueueView) => void
}

/** Tells what the server has, at once and then as long as the page is seen. Answers why the latest question failed. */
function usePolling({ initial, address, reading, shownAt, onView }: Polling): Problem | null {
  const [problem, setProblem] = useState<Problem | null>(null)
  const everyMs = reading ? POLL_READING_MS : POLL_EVERY_MS
  const ask = useEffectEvent(() => readQueue(address, shownAt()))
  const tell = useEffectEvent(onView)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the page came with, and another address, are asked about at once.
  useEffect(() => {
    let [left, asking, askedAt] = [false, false, Number.NEGATIVE_INFINITY]
    const poll = async () => {
      if (asking || document.visibilityState === 'hidden' || performance.now() - askedAt < everyMs - 500) return
      askedAt = performance.now()
      asking = true
      const read = await ask()
      asking = false
      if (left) return
      setProblem(read.ok ? null : read.problem)
      if (read.ok) tell(read.value)
      // The next question is due at once: when the page is seen again, or the session is back.
      else askedAt = Number.NEGATIVE_INFINITY
    }
    void poll()
    const stop = pollInTurn(poll, everyMs)
    const onSeen = () => void poll()
    document.addEventListener('visibilitychange', onSeen)
    return () => {
      left = true
      stop()
      document.removeEventListener('visibilitychange', onSeen)
    }
  }, [initial, address, everyMs])
  return problem
}

const marksOf = ({ since }: QueueView, { changed }: QueueNews): ReadonlyMap<string, Mark> =>
  new Map([
    ...(since?.arrivedHere ?? []).map((id) => [id, 'new'] as const),
    ...changed.map((id) => [id, 'changed'] as const),
  ])

/** What was just put in place keeps its mark; what has changed since, or went, is marked where it stands. */
const marksWith = (kept: ReadonlyMap<string, Mark>, { changed, gone }: QueueNews): ReadonlyMap<string, Mark> =>
  new Map([...kept, ...changed.map((id) => [id, 'changed'] as const), ...gone.map((id) => [id, 'gone'] as const)])
