'use client'

import { startTransition, useEffect, useMemo, useRef, useState } from 'react'
import type { Mark } from '#components/disputes/case-marks.tsx'
import { useTopic } from '#components/frame/live-dot.tsx'
import { announceOpenCases } from '#components/frame/rail-link.tsx'
import { askConsole, problemIn } from '#components/service/ask-console.ts'
import { onSessionEnded } from '#components/service/session-events.ts'
import type { Problem } from '#lib/contract/problem.ts'
import {
  type FollowedQueue,
  isOlder,
  noQueueChanges,
  type QueueChanges,
  type QueueFilter,
  type QueuePlaces,
  type QueueUpdate,
  type QueueView,
  queueChangesOf,
  type TransactionFacts,
} from '#lib/disputes/queue/queue.ts'
import { withThreads } from '#lib/disputes/unread/thread-state.ts'
import { formatCount } from '#lib/values/words.ts'

export interface CurrentQueue {
  /** Rows do not move until `show` is called. */
  readonly view: QueueView
  readonly latest: QueueView
  readonly marks: ReadonlyMap<string, Mark>
  readonly changes: QueueChanges
  readonly facts: TransactionFacts
  readonly problem: Problem | null
  /** Whether `view` still answers another address. */
  readonly pending: boolean
  /** For use after the operator's own change. */
  readAgain(): Promise<void>
  show(): void
}

const NO_FACTS: TransactionFacts = {}
const NOTHING_SHOWN = { ids: [], arrival: 0 }

/** The newest view that this tab received. Set only in the browser: on the server all operators would share it. */
let newest: QueueView | null = null

function recordNewest(view: QueueView): void {
  if (newest !== null && isOlder(view, newest)) return
  newest = view
  announceOpenCases(view.open)
}

/** Keeps a queue current with streamed updates. `initial` answers `initialAddress`. */
export function useCurrentQueue(
  initial: QueueView,
  initialAddress: string,
  { address, filter, places }: { address: string; filter: QueueFilter; places: QueuePlaces } = {
    address: initialAddress,
    filter: initial.filter,
    places: initial.places,
  },
): CurrentQueue {
  const [now, setNow] = useState(() => initialQueue(initial, initialAddress, newest))
  const [rendered, setRendered] = useState(initial)
  const latestAddress = useRef(address)
  useEffect(() => {
    latestAddress.current = address
  }, [address])
  if (rendered !== initial) {
    setRendered(initial)
    setNow(withRender(now, initial, initialAddress, newest))
  }
  const { shown, latest } = now
  const pending = now.address !== address
  const followed = JSON.stringify({
    filter,
    places,
    shown: pending ? NOTHING_SHOWN : { ids: shown.rows.map(({ id }) => id), arrival: shown.arrival },
  } satisfies FollowedQueue)
  const { problem, facts } = useQueueUpdates(followed, pending || now.replaceable, (view) => {
    setNow((before) => withUpdate(before, view, address))
    recordNewest(view)
  })
  useEffect(() => recordNewest(initial), [initial])
  const changes = useMemo(
    () => (latest.since === null ? noQueueChanges : queueChangesOf(shown.rows, latest)),
    [latest, shown.rows],
  )
  return {
    view: useMemo(() => ({ ...shown, rows: withThreads(shown.rows, latest.rows) }), [shown, latest]),
    latest,
    marks: useMemo(() => marksWith(now.marks, changes), [now.marks, changes]),
    ...{ changes, facts, problem, pending },
    async readAgain() {
      const read = await readQueue(address)
      // Skipped if the operator has moved to another address meanwhile.
      if (read.ok && latestAddress.current === address) setNow((before) => withReread(before, read.value, address))
    },
    show: () => setNow(showLatest),
  }
}

/** `atOnce` requests the first update immediately, because the page was rendered without these cases. */
function useQueueUpdates(followed: string, atOnce: boolean, onView: (view: QueueView) => void) {
  const [facts, setFacts] = useState(NO_FACTS)
  const take = (update: QueueUpdate) => {
    setFacts(update.facts)
    onView(update.queue)
  }
  return { problem: useTopic(`queue ${followed}`, take, { atOnce }), facts }
}

const marksWith = (kept: ReadonlyMap<string, Mark>, { changed, gone }: QueueChanges): ReadonlyMap<string, Mark> =>
  new Map([...kept, ...changed.map((id) => [id, 'changed'] as const), ...gone.map((id) => [id, 'gone'] as const)])

interface QueueState {
  readonly shown: QueueView
  /** The query string that `shown` and `latest` answer. */
  readonly address: string
  readonly marks: ReadonlyMap<string, Mark>
  readonly latest: QueueView
  /** Rendered with a partial list, or older data than this browser has: the next update replaces `shown`. */
  readonly replaceable: boolean
}

const NO_MARKS: ReadonlyMap<string, Mark> = new Map()

const isPart = ({ index }: QueueView): boolean => index.completeAt === null

export const initialQueue = (view: QueueView, address: string, newest: QueueView | null): QueueState => ({
  ...{ shown: view, address, marks: NO_MARKS, latest: view },
  replaceable: isPart(view) || (newest !== null && isOlder(view, newest)),
})

/** A new render of the same address does not move the shown rows; another address replaces them. */
export const withRender = (now: QueueState, view: QueueView, address: string, newest: QueueView | null): QueueState =>
  now.address === address && !isPart(now.shown) ? now : initialQueue(view, address, newest)

/** Applies a streamed update. A view older than the latest known one is ignored. */
export function withUpdate(now: QueueState, view: QueueView, address: string): QueueState {
  if (now.address === address && isOlder(view, now.latest)) return now
  const isPut = now.address !== address || (now.replaceable && !isPart(view))
  return isPut ? put(view, address) : { ...now, latest: view }
}

/** Applies the answer to the operator's own change: shows it at once, or the latest known view if that is newer. */
export const withReread = (now: QueueState, view: QueueView, address: string): QueueState =>
  put(now.address === address && isOlder(view, now.latest) ? now.latest : view, address)

export function showLatest({ shown, latest, address }: QueueState): QueueState {
  const { changed } = queueChangesOf(shown.rows, latest)
  const marks = new Map([
    ...(latest.since?.arrivedHere ?? []).map((id) => [id, 'new'] as const),
    ...changed.map((id) => [id, 'changed'] as const),
  ])
  return { ...put(latest, address), marks }
}

function put(view: QueueView, address: string): QueueState {
  const settled = { ...view, since: null }
  return { shown: settled, address, marks: NO_MARKS, latest: settled, replaceable: isPart(view) }
}

export type ReadResult<Value> =
  | { readonly ok: true; readonly value: Value }
  /** A problem of the console. A problem of the service is part of the queue view. */
  | { readonly ok: false; readonly problem: Problem }

export async function readQueue(address: string): Promise<ReadResult<QueueView>> {
  const answer = await askConsole(`/api/disputes/queue?${address}`)
  if (answer?.status !== 200) return { ok: false, problem: problemIn(answer) }
  return { ok: true, value: (answer.body as { queue: QueueView }).queue }
}

/** `3 new, 1 changed, 2 gone`; empty when there are no changes. */
export function queueChangesWords({ added, changed, gone, moved }: QueueChanges): string {
  const parts: readonly (readonly [count: number, word: string])[] = [
    [added, 'new'],
    [changed.length, 'changed'],
    [gone.length, 'gone'],
  ]
  const withUpdate = parts.flatMap(([count, word]) => (count === 0 ? [] : [`${formatCount(count)} ${word}`]))
  return withUpdate.length === 0 && moved ? 'Rows moved' : withUpdate.join(', ')
}

const FIRST_AFTER_MS = 500
const SECOND_AFTER_MS = 2_000

/** Pages that may be read ahead: none until page `shown` has been there a moment, none after the session ended. */
export function useReadAhead(shown: string): 0 | 1 | 2 {
  const [ahead, setAhead] = useState<{ readonly shown: string; readonly count: 0 | 1 | 2 }>({ shown, count: 0 })
  useEffect(() => {
    const allow = (count: 1 | 2) => startTransition(() => setAhead({ shown, count }))
    const timers = [setTimeout(allow, FIRST_AFTER_MS, 1), setTimeout(allow, SECOND_AFTER_MS, 2)]
    const stopHearing = onSessionEnded(() => {
      timers.forEach(clearTimeout)
      setAhead({ shown, count: 0 })
    })
    return () => {
      timers.forEach(clearTimeout)
      stopHearing()
    }
  }, [shown])
  return ahead.shown === shown ? ahead.count : 0
}
