import type { Problem } from '#lib/contract/problem.ts'
import { mergeMessages, type ThreadCase, type ThreadMessage } from '#lib/disputes/thread/thread.ts'

/**
 * How current a shown case is. `live`: the service tells of every message. `catching-up`: that begins, and what was
 * missed is being read. `polling`: it is read every five seconds, because the hub is away or does not let us listen.
 */
export type LiveState = 'live' | 'catching-up' | 'polling'

export interface CaseStatus {
  readonly state: LiveState
  /** Messages of the thread that the console cannot read. */
  readonly unreadable: number
  /** Why the latest reading failed; null when it did not. */
  readonly problem: Problem | null
}

/** What there is to know of a case at one moment. */
export interface CaseSnapshot {
  readonly case: ThreadCase
  /** Resolved: nothing can be posted any more. */
  readonly readOnly: boolean
  /** In order. */
  readonly messages: readonly ThreadMessage[]
}

/** News of one case. A snapshot comes first, as soon as there is one; before it, only a status. */
export type CaseEvent =
  | ({ readonly type: 'snapshot' } & CaseSnapshot)
  /** Messages that are new, or that read differently now. */
  | { readonly type: 'messages'; readonly messages: readonly ThreadMessage[] }
  | { readonly type: 'case'; readonly case: ThreadCase; readonly readOnly: boolean }
  | { readonly type: 'status'; readonly status: CaseStatus }

/** A case as it is shown. */
export interface CaseView extends CaseSnapshot {
  readonly status: CaseStatus
}

/** What is shown after an event. Nothing that was shown goes away, and a resolved case stays resolved. */
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

function withCase(view: CaseView, { case: found, readOnly }: Pick<CaseSnapshot, 'case' | 'readOnly'>): CaseView {
  return view.readOnly && !readOnly ? view : { ...view, case: found, readOnly }
}
