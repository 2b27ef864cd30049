import type { Problem } from '#lib/contract/problem.ts'
import { mergeMessages, type ThreadCase, type ThreadMessage } from '#lib/disputes/thread/thread.ts'

/** `catching-up`: missed messages are being read. `polling`: every five seconds, because the hub is down or refused. */
export type LiveState = 'live' | 'catching-up' | 'polling'

export interface CaseStatus {
  readonly state: LiveState
  readonly unreadable: number
  readonly problem: Problem | null
}

export interface CaseSnapshot {
  readonly case: ThreadCase
  readonly readOnly: boolean
  readonly messages: readonly ThreadMessage[]
}

/** Only a status can precede the first snapshot. */
export type CaseEvent =
  | ({ readonly type: 'snapshot' } & CaseSnapshot)
  | { readonly type: 'messages'; readonly messages: readonly ThreadMessage[] }
  | { readonly type: 'case'; readonly case: ThreadCase; readonly readOnly: boolean }
  | { readonly type: 'status'; readonly status: CaseStatus }

export interface CaseView extends CaseSnapshot {
  readonly status: CaseStatus
}

/** Events may arrive late, so messages are never removed and a resolved case stays resolved. */
export function applyEvent(view: CaseView, event: CaseEvent): CaseView {
  switch (event.type) {
    case 'snapshot':
      return { ...withCase(view, event), messages: mergeMessages(view.messages, event.messages) }
    case 'messages':
      return { ...view, messages: mergeMessages(view.messages, event.messages) }
    case 'case':
      return withCase(view, event)
    case 'status':
      return { ...view, status: event.status }
  }
}

const withCase = (view: CaseView, { case: found, readOnly }: Pick<CaseSnapshot, 'case' | 'readOnly'>): CaseView =>
  view.readOnly && !readOnly ? view : { ...view, case: found, readOnly }
