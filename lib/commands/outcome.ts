import 'server-only'
import type { Sent } from '#lib/core-api/send.ts'
import type { Outcome } from '#lib/domain/command.ts'
import { type Answer, classify } from '#lib/domain/outcome-class.ts'
import { problemWords } from '#lib/domain/problem-words.ts'
import type { CommandState } from '#lib/store/commands.ts'
import type { AnyKind } from './kinds.ts'

export interface Settled {
  readonly state: CommandState
  readonly outcome: Outcome
  /** For the journal: what came back, without its body. */
  readonly note: Readonly<Record<string, unknown>>
}

const NOT_SENT: Outcome = {
  class: 'refused',
  sent: false,
  title: 'The service cannot be reached',
  advice: 'Nothing was sent. Try again in a moment.',
  problem: null,
}

const SESSION_OVER: Outcome = {
  class: 'refused',
  sent: false,
  title: 'Your session has ended',
  advice: 'Nothing was changed. Sign in again, then confirm it anew.',
  problem: null,
}

/** What came of sending a command, for the journal and for the person. */
export function outcomeOf(kind: AnyKind, facts: Readonly<Record<string, string>>, sent: Sent<unknown>): Settled {
  if (sent.kind === 'session-over') return { state: 'refused', outcome: SESSION_OVER, note: { answer: 'session-over' } }
  const answer: Answer =
    sent.kind === 'answer'
      ? { kind: 'answer', status: sent.status, code: sent.problem?.code ?? null }
      : { kind: sent.kind }
  const note =
    sent.kind === 'answer'
      ? {
          answer: 'answer',
          status: sent.status,
          code: sent.problem?.code ?? null,
          traceId: sent.problem?.traceId ?? null,
        }
      : { answer: sent.kind, why: sent.why }
  const problem = sent.kind === 'answer' ? sent.problem : null
  switch (classify(answer)) {
    case 'not-sent':
      return { state: 'refused', outcome: NOT_SENT, note }
    case 'done': {
      const { data, serviceTime } = sent as Extract<Sent<unknown>, { kind: 'answer' }>
      return { state: 'done', outcome: { class: 'done', ...kind.tell(facts, data, serviceTime) }, note }
    }
    case 'accepted': {
      const { data, serviceTime } = sent as Extract<Sent<unknown>, { kind: 'answer' }>
      return { state: 'accepted', outcome: { class: 'accepted', ...kind.tell(facts, data, serviceTime) }, note }
    }
    case 'refused':
    case 'challenged': {
      const words = problem === null ? { title: 'The service refused', advice: '' } : problemWords(problem)
      return { state: 'refused', outcome: { class: 'refused', sent: true, ...words, problem }, note }
    }
    case 'unknown':
      return {
        state: 'unknown',
        outcome: { class: 'unknown', checking: kind.checking, traceId: problem?.traceId ?? null },
        note,
      }
  }
}
