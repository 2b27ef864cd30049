'use client'

import { useEffect, useMemo, useState } from 'react'
import { announceOpenCases } from '#components/frame/open-cases.ts'
import { pollInTurn } from '#components/service/poll-in-turn.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { newsOf, type QueueNews, type QueueRow, type QueueView } from '#lib/disputes/queue/queue.ts'
import { openCount } from '#lib/disputes/queue/shortfall-words.ts'
import { withThreads } from '#lib/disputes/unread/with-threads.ts'
import { readQueue } from './queue-requests.ts'

/** A little longer than the server lets a sweep serve, so that every question brings a new one. */
const POLL_EVERY_MS = 31_000

export type Mark = 'new' | 'changed' | 'gone'

export interface PolledQueue {
  /** In their places: nothing moves before `show`. */
  readonly rows: readonly QueueRow[]
  readonly unreadable: number
  /** When `rows` were read whole. */
  readonly shownAt: string
  /** The latest that is known of the list. */
  readonly latest: QueueView
  readonly marks: ReadonlyMap<string, Mark>
  readonly news: QueueNews
  /** Why the console gave no answer to the latest question; null when it did. */
  readonly problem: Problem | null
  /** Puts the news in place, marked. */
  show(): void
}

interface Shown {
  readonly view: QueueView
  /** What the latest `show` brought. */
  readonly marks: ReadonlyMap<string, Mark>
}

/** A list of cases that is asked for again while the page is seen. */
export function usePolledQueue(initial: QueueView): PolledQueue {
  const [shown, setShown] = useState<Shown>({ view: initial, marks: new Map() })
  const [latest, setLatest] = useState(initial)
  const [given, setGiven] = useState(initial)
  if (given !== initial) {
    // The page was read anew: that is news like any other.
    setGiven(initial)
    setLatest(initial)
  }
  // In the place of a list that is not whole the first whole one is put at once: nobody works with a part.
  if (shown.view.completeAt === null && latest.completeAt !== null) setShown({ view: latest, marks: new Map() })
  const problem = usePolling(initial.list, setLatest)
  const news = useMemo(
    () => (latest.completeAt === null ? newsOf([], []) : newsOf(shown.view.rows, latest.rows)),
    [latest, shown.view],
  )
  const marks = useMemo(() => marksWith(shown.marks, news), [shown.marks, news])
  return {
    rows: useMemo(() => withThreads(shown.view.rows, latest.rows), [shown.view, latest]),
    unreadable: shown.view.unreadable,
    shownAt: shown.view.completeAt ?? '',
    latest,
    marks,
    news,
    problem,
    show: () => setShown({ view: latest, marks: marksOf(news) }),
  }
}

/** Tells what the server has, at once and then as long as the page is seen. Answers why the latest question failed. */
function usePolling(list: QueueView['list'], onView: (view: QueueView) => void): Problem | null {
  const [problem, setProblem] = useState<Problem | null>(null)
  useEffect(() => {
    let [left, asking, askedAt] = [false, false, Number.NEGATIVE_INFINITY]
    const poll = async () => {
      if (asking || document.visibilityState === 'hidden' || performance.now() - askedAt < POLL_EVERY_MS - 500) return
      askedAt = performance.now()
      asking = true
      const read = await readQueue(list)
      asking = false
      if (left) return
      setProblem(read.ok ? null : read.problem)
      if (!read.ok) {
        // The next question is due at once: when the page is seen again, or the session is back.
        askedAt = Number.NEGATIVE_INFINITY
        return
      }
      onView(read.queue)
      if (read.queue.list === 'OPEN') announceOpenCases(openCount(read.queue))
    }
    void poll()
    const stop = pollInTurn(poll, POLL_EVERY_MS)
    const onSeen = () => void poll()
    document.addEventListener('visibilitychange', onSeen)
    return () => {
      left = true
      stop()
      document.removeEventListener('visibilitychange', onSeen)
    }
  }, [list, onView])
  return problem
}

const marksOf = ({ added, changed }: QueueNews): ReadonlyMap<string, Mark> =>
  new Map([...added.map((id) => [id, 'new'] as const), ...changed.map((id) => [id, 'changed'] as const)])

/** What was just put in place keeps its mark; what has changed since, or went, is marked where it stands. */
const marksWith = (kept: ReadonlyMap<string, Mark>, { changed, gone }: QueueNews): ReadonlyMap<string, Mark> =>
  new Map([...kept, ...changed.map((id) => [id, 'changed'] as const), ...gone.map((id) => [id, 'gone'] as const)])
