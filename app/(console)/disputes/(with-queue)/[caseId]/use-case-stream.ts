'use client'

import { useEffect, useReducer } from 'react'
import type { ConnectionState } from '#components/stream/event-stream-client.ts'
import { connectionState, refreshTopic, subscribe } from '#components/stream/subscribe.ts'
import type { Problem } from '#lib/contract/problem.ts'
import {
  applyEvent,
  type CaseEvent,
  type CaseSnapshot,
  type CaseView,
  type LiveState,
} from '#lib/disputes/live/case-stream.ts'

export type ConnectionWord = 'catching up' | 'checking every 5 s' | 'refused'

export interface CaseStream extends CaseSnapshot {
  /** Null while the bar's live dot says the same. */
  readonly connection: ConnectionWord | null
  readonly unreadable: number
  readonly problem: Problem | null
  resync(): void
}

interface State {
  readonly view: CaseView
  readonly connection: ConnectionState
  /** Why the console refuses to stream this case; null when it does not. */
  readonly refusal: Problem | null
}

type StreamAction =
  | CaseEvent
  | { readonly type: 'opening' }
  | { readonly type: 'connection'; readonly connection: ConnectionState }
  | { readonly type: 'refused'; readonly problem: Problem }

export const begin = (initial: CaseSnapshot): State => ({
  view: { ...initial, status: { state: 'catching-up', unreadable: 0, problem: null } },
  connection: 'opening',
  refusal: null,
})

export function nextState(state: State, action: StreamAction): State {
  const { view, connection } = state
  if (action.type === 'connection') return { ...state, connection: action.connection }
  // While the console is unreachable, the connection state already explains the missing updates.
  if (action.type === 'refused') return isAway(connection) ? state : { ...state, refusal: action.problem }
  if (action.type !== 'opening') return { view: applyEvent(view, action), connection, refusal: null }
  return { view: { ...view, status: { ...view.status, state: 'catching-up' } }, connection, refusal: null }
}

const isAway = (connection: ConnectionState): boolean =>
  connection === 'offline' || connection === 'session-over' || connection === 'refused'

const words: Readonly<Record<LiveState, ConnectionWord | null>> = {
  live: null,
  'catching-up': 'catching up',
  polling: 'checking every 5 s',
}

export function connectionOf({ view, connection, refusal }: State): ConnectionWord | null {
  if (isAway(connection)) return null
  if (refusal !== null) return 'refused'
  if (connection === 'opening') return 'catching up'
  return connection === 'polling' ? null : words[view.status.state]
}

/** Subscribes to one case while its tab is visible, starting from the rendered snapshot. Needs a `key` per case. */
export function useCaseStream(caseId: string, initial: CaseSnapshot): CaseStream {
  const [state, dispatch] = useReducer(nextState, initial, begin)
  const { view, refusal } = state
  useEffect(() => subscribeToCase(caseId, dispatch), [caseId])
  return {
    case: view.case,
    readOnly: view.readOnly,
    messages: view.messages,
    unreadable: view.status.unreadable,
    problem: refusal ?? view.status.problem,
    connection: connectionOf(state),
    resync: () => resync(caseId, dispatch),
  }
}

const topicOf = (caseId: string): string => `thread ${caseId.toLowerCase()}`

function resync(caseId: string, dispatch: (action: StreamAction) => void): void {
  dispatch({ type: 'opening' })
  refreshTopic(topicOf(caseId))
}

function subscribeToCase(caseId: string, dispatch: (action: StreamAction) => void): () => void {
  const onState = (connection: ConnectionState) => dispatch({ type: 'connection', connection })
  onState(connectionState())
  const stop = subscribe<CaseEvent>(
    topicOf(caseId),
    (result) => dispatch(result.ok ? result.value : { type: 'refused', problem: result.problem }),
    { atOnce: true, onState },
  )
  const onVisibility = () => {
    if (document.visibilityState === 'visible') resync(caseId, dispatch)
  }
  document.addEventListener('visibilitychange', onVisibility)
  return () => {
    stop()
    document.removeEventListener('visibilitychange', onVisibility)
  }
}
