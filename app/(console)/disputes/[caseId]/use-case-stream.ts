'use client'

import { useEffect, useReducer, useState } from 'react'
import { announceSessionOver, onSessionBack } from '#components/service/session-events.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { applyEvent, type CaseSnapshot, type CaseView, type LiveState } from '#lib/disputes/live/case-stream.ts'
import { type Away, type CaseNews, followCase } from './follow-case.ts'

export type ConnectionWord = 'live' | 'catching up' | 'checking every 5 s' | Away

export interface CaseStream extends CaseSnapshot {
  readonly connection: ConnectionWord
  /** Messages of the thread that the console cannot read. */
  readonly unreadable: number
  /** Why the console could not read the case just now; null when it could. */
  readonly problem: Problem | null
  /** Starts over with a snapshot. */
  resync(): void
}

interface State {
  readonly view: CaseView
  readonly away: Away | null
}

const words: Readonly<Record<LiveState, ConnectionWord>> = {
  live: 'live',
  'catching-up': 'catching up',
  polling: 'checking every 5 s',
}

const begin = (initial: CaseSnapshot): State => ({
  view: { ...initial, status: { state: 'catching-up', unreadable: 0, problem: null } },
  away: null,
})

function next({ view, away }: State, news: CaseNews): State {
  switch (news.type) {
    case 'offline':
    case 'paused':
    case 'session-over':
    case 'refused':
      return { view, away: news.type }
    case 'opening':
      return { view: { ...view, status: { ...view.status, state: 'catching-up' } }, away }
    default:
      return { view: applyEvent(view, news), away: null }
  }
}

/**
 * One dispute case, kept current while its tab is visible. Begins with what the page was rendered with; a component that
 * uses it is mounted anew for every case (`key`).
 */
export function useCaseStream(caseId: string, initial: CaseSnapshot): CaseStream {
  const [{ view, away }, onNews] = useReducer(next, initial, begin)
  const [round, setRound] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: every round starts over.
  useEffect(() => followWhileVisible(caseId, onNews), [caseId, round])
  return {
    case: view.case,
    readOnly: view.readOnly,
    messages: view.messages,
    unreadable: view.status.unreadable,
    problem: view.status.problem,
    connection: away ?? words[view.status.state],
    resync: () => setRound((previous) => previous + 1),
  }
}

/** Also begins anew when the session is back, or the browser is online again. Answers how to stop. */
export function followWhileVisible(caseId: string, onNews: (news: CaseNews) => void): () => void {
  let following: AbortController | null = null
  const stop = () => {
    following?.abort()
    following = null
  }
  const follow = () => {
    if (document.visibilityState === 'hidden') return stop()
    if (following !== null) return
    const mine = new AbortController()
    following = mine
    const open = (signal: AbortSignal) => openStream(caseId, signal)
    const hear = (news: CaseNews) => {
      onNews(news)
      if (news.type === 'session-over') announceSessionOver()
    }
    void followCase({ open, onNews: hear, signal: mine.signal }).then(() => {
      if (following === mine) following = null
    })
  }
  const startOver = () => {
    stop()
    follow()
  }
  follow()
  const goOffline = () => {
    stop()
    onNews({ type: 'offline' })
  }
  const stopHearing = onSessionBack(startOver)
  // A line that is cut off in silence would pass for live a while longer.
  window.addEventListener('offline', goOffline)
  window.addEventListener('online', startOver)
  document.addEventListener('visibilitychange', follow)
  // One of several windows side by side is always visible: whoever turns to it wants it live again.
  window.addEventListener('focus', follow)
  return () => {
    stopHearing()
    window.removeEventListener('offline', goOffline)
    window.removeEventListener('online', startOver)
    document.removeEventListener('visibilitychange', follow)
    window.removeEventListener('focus', follow)
    stop()
  }
}

const openStream = (caseId: string, signal: AbortSignal): Promise<Response> =>
  fetch(`/api/stream?case=${encodeURIComponent(caseId)}`, {
    headers: { 'x-console': '1' },
    cache: 'no-store',
    signal,
  })
