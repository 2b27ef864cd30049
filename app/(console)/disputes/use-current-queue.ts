'use client'

import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { announceOpenCases } from '#components/frame/open-cases.ts'
import { followTopic } from '#components/news/news.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { newsOf, noNews, type QueueNews, type QueueView } from '#lib/disputes/queue/queue.ts'
import { withThreads } from '#lib/disputes/unread/with-threads.ts'
import { readQueue } from './queue-requests.ts'

export type Mark = 'new' | 'changed' | 'gone'

export interface CurrentQueue {
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

/** The cases that an address asks for, asked for again when they may have moved. `initial` is what the page came with. */
export function useCurrentQueue(initial: QueueView, initialAddress: string, address = initialAddress): CurrentQueue {
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
  const problem = useAsking({
    ...{ initial, address },
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

interface Asking {
  readonly initial: QueueView
  readonly address: string
  readonly shownAt: () => { readonly ids: readonly string[]; readonly arrival: number }
  readonly onView: (view: QueueView) => void
}

/** Tells what the server has: at once, and whenever the news say that cases may have moved. Answers why the latest question failed. */
function useAsking({ initial, address, shownAt, onView }: Asking): Problem | null {
  const [problem, setProblem] = useState<Problem | null>(null)
  const ask = useEffectEvent(() => readQueue(address, shownAt()))
  const tell = useEffectEvent(onView)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the page came with, and another address, are asked about at once.
  useEffect(() => {
    let [left, asking, again] = [false, false, false]
    const askNow = async () => {
      again = asking
      if (asking || document.visibilityState === 'hidden') return
      asking = true
      const read = await ask()
      asking = false
      if (left) return
      setProblem(read.ok ? null : read.problem)
      if (read.ok) tell(read.value)
      if (again) void askNow()
    }
    void askNow()
    const stop = followTopic<string>('queue', (told) => {
      if (told.ok) void askNow()
      else setProblem(told.problem)
    })
    return () => {
      left = true
      stop()
    }
  }, [initial, address])
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
