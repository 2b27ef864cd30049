'use client'

import { useEffect, useReducer } from 'react'
import { askAgain, followTopic, newsWay } from '#components/news/news.ts'
import type { Way } from '#components/news/way.ts'
import type { Problem } from '#lib/contract/problem.ts'
import {
  applyEvent,
  type CaseEvent,
  type CaseSnapshot,
  type CaseView,
  type LiveState,
} from '#lib/disputes/live/case-stream.ts'

/** Why there are no news of the case. */
type Away = Extract<Way, 'offline' | 'session-over' | 'refused'>

export type ConnectionWord = 'live' | 'catching up' | 'checking every 5 s' | Away

export interface CaseStream extends CaseSnapshot {
  /** How current the thread is; null while the bar says of all pages that news are asked for. */
  readonly connection: ConnectionWord | null
  /** Messages of the thread that the console cannot read. */
  readonly unreadable: number
  /** Why the console could not read the case just now; null when it could. */
  readonly problem: Problem | null
  /** Starts over with a snapshot. */
  resync(): void
}

interface State {
  readonly view: CaseView
  readonly way: Way
  /** Why the console does not let the page follow the case; null when it does. */
  readonly refusal: Problem | null
}

type CaseNews =
  | CaseEvent
  | { readonly type: 'opening' }
  | { readonly type: 'way'; readonly way: Way }
  | { readonly type: 'refused'; readonly problem: Problem }

export const begin = (initial: CaseSnapshot): State => ({
  view: { ...initial, status: { state: 'catching-up', unreadable: 0, problem: null } },
  way: 'opening',
  refusal: null,
})

export function nextState(state: State, news: CaseNews): State {
  const { view, way } = state
  if (news.type === 'way') return { ...state, way: news.way }
  // While the console is away, the word for the connection says why there are no news.
  if (news.type === 'refused') return isAway(way) ? state : { ...state, refusal: news.problem }
  if (news.type !== 'opening') return { view: applyEvent(view, news), way, refusal: null }
  return { view: { ...view, status: { ...view.status, state: 'catching-up' } }, way, refusal: null }
}

const isAway = (way: Way): way is Away => way === 'offline' || way === 'session-over' || way === 'refused'

const words: Readonly<Record<LiveState, ConnectionWord>> = {
  live: 'live',
  'catching-up': 'catching up',
  polling: 'checking every 5 s',
}

/** How current the shown thread is. */
export function connectionOf({ view, way, refusal }: State): ConnectionWord | null {
  if (isAway(way)) return way
  if (refusal !== null) return 'refused'
  if (way === 'opening') return 'catching up'
  return way === 'polling' ? null : words[view.status.state]
}

/**
 * One dispute case, kept current while its tab is visible. Begins with what the page was rendered with; a component that
 * uses it is mounted anew for every case (`key`).
 */
export function useCaseStream(caseId: string, initial: CaseSnapshot): CaseStream {
  const [state, onNews] = useReducer(nextState, initial, begin)
  const { view, refusal } = state
  useEffect(() => followCase(caseId, onNews), [caseId])
  return {
    case: view.case,
    readOnly: view.readOnly,
    messages: view.messages,
    unreadable: view.status.unreadable,
    problem: refusal ?? view.status.problem,
    connection: connectionOf(state),
    resync: () => {
      onNews({ type: 'opening' })
      askAgain(topicOf(caseId))
    },
  }
}

const topicOf = (caseId: string): string => `thread ${caseId.toLowerCase()}`

/** Answers how to stop. */
function followCase(caseId: string, onNews: (news: CaseNews) => void): () => void {
  onNews({ type: 'way', way: newsWay() })
  const stop = followTopic<CaseEvent>(
    topicOf(caseId),
    (told) => onNews(told.ok ? told.value : { type: 'refused', problem: told.problem }),
    { atOnce: true, onWay: (way) => onNews({ type: 'way', way }) },
  )
  const onSeen = () => {
    if (document.visibilityState === 'visible') onNews({ type: 'opening' })
  }
  document.addEventListener('visibilitychange', onSeen)
  return () => {
    stop()
    document.removeEventListener('visibilitychange', onSeen)
  }
}
