'use client'

import { useEffect, useReducer, useState } from 'react'
import type { Problem } from '#lib/contract/problem.ts'
import { applyEvent, type CaseSnapshot, type CaseView, type LiveState } from '#lib/domain/case-stream.ts'
import { type CaseNews, followCase } from './follow-case.ts'

export type ConnectionWord = 'live' | 'catching up' | 'checking every 5 s' | 'offline'

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
  /** There is no stream, and the next one is tried later or not at all. */
  readonly offline: boolean
}

const words: Readonly<Record<LiveState, ConnectionWord>> = {
  live: 'live',
  'catching-up': 'catching up',
  polling: 'checking every 5 s',
}

const begin = (initial: CaseSnapshot): State => ({
  view: { ...initial, status: { state: 'catching-up', unreadable: 0, problem: null } },
  offline: false,
})

function next({ view, offline }: State, news: CaseNews): State {
  if (news.type === 'offline') return { view, offline: true }
  if (news.type !== 'opening') return { view: applyEvent(view, news), offline: false }
  return { view: { ...view, status: { ...view.status, state: 'catching-up' } }, offline }
}

/**
 * One dispute case, kept current while its tab is visible. Begins with what the page was rendered with; a component that
 * uses it is mounted anew for every case (`key`).
 */
export function useCaseStream(caseId: string, initial: CaseSnapshot): CaseStream {
  const [{ view, offline }, tell] = useReducer(next, initial, begin)
  const [round, setRound] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: every round starts over.
  useEffect(() => followWhileVisible(caseId, tell), [caseId, round])
  return {
    case: view.case,
    readOnly: view.readOnly,
    messages: view.messages,
    unreadable: view.status.unreadable,
    problem: view.status.problem,
    connection: offline ? 'offline' : words[view.status.state],
    resync: () => setRound((previous) => previous + 1),
  }
}

/** Answers how to stop. */
function followWhileVisible(caseId: string, tell: (news: CaseNews) => void): () => void {
  let following: AbortController | null = null
  const stop = () => {
    following?.abort()
    following = null
  }
  const follow = () => {
    if (document.visibilityState === 'hidden') return stop()
    if (following !== null) return
    following = new AbortController()
    void followCase({ open: (signal) => openStream(caseId, signal), tell, signal: following.signal })
  }
  follow()
  document.addEventListener('visibilitychange', follow)
  return () => {
    document.removeEventListener('visibilitychange', follow)
    stop()
  }
}

const openStream = (caseId: string, signal: AbortSignal): Promise<Response> =>
  fetch(`/api/stream?case=${encodeURIComponent(caseId)}`, {
    headers: { 'x-console': '1' },
    cache: 'no-store',
    signal,
  })
