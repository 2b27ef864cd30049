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

type Away = Extract<Way, 'offline' | 'session-over' | 'refused'>

export type ConnectionWord = 'live' | 'catching up' | 'checking every 5 s' | Away

export interface CaseStream extends CaseSnapshot {
  /** Null while the status bar already reports polling for all pages. */
  readonly connection: ConnectionWord | null
  readonly unreadable: number
  /** Why the latest read failed; null when it succeeded. */
  readonly problem: Problem | null
  resync(): void
}

interface State {
  readonly view: CaseView
  readonly way: Way
  /** Why the console refuses to stream this case; null when it does not. */
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
  // While the console is unreachable, the connection state already explains the missing updates.
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

export function connectionOf({ view, way, refusal }: State): ConnectionWord | null {
  if (isAway(way)) return way
  if (refusal !== null) return 'refused'
  if (way === 'opening') return 'catching up'
  return way === 'polling' ? null : words[view.status.state]
}

/**
 * Follows one case while its tab is visible, starting from the rendered snapshot. Needs a `key` per case, because it
 * reads `initial` only once.
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

/** Returns the function that stops it. */
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
