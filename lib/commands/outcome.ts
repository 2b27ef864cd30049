import 'server-only'
import type { Problem } from '#lib/contract/problem.ts'
import { SIGN_ON_OUT } from '#lib/core-api/authorized.ts'
import type { Sent } from '#lib/core-api/send.ts'
import type { Outcome, StepUpOutcome } from '#lib/domain/command.ts'
import { type Answer, classify } from '#lib/domain/outcome-class.ts'
import { problemWords } from '#lib/domain/problem-words.ts'
import type { CommandRow, CommandState } from '#lib/store/commands.ts'
import type { OwnAct } from './command-kind.ts'
import type { AnyKind } from './kinds.ts'
import { codeWanted, enrolmentWanted } from './step-up.ts'
import { factsOf, paramsOf } from './view.ts'

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

const STORE_NOT_SENT: Outcome = {
  class: 'refused',
  sent: false,
  title: 'The console’s own store cannot be read',
  advice: 'Nothing was sent. Try again in a moment.',
  problem: null,
}
const NOT_RENEWED: Outcome = { ...NOT_SENT, title: 'Single sign-on cannot be reached' }

function notSent(why: string): Outcome {
  if (why === 'store') return STORE_NOT_SENT
  return why === SIGN_ON_OUT ? NOT_RENEWED : NOT_SENT
}

const SESSION_OVER: Outcome = {
  class: 'refused',
  sent: false,
  title: 'Your session has ended',
  advice: 'Nothing was changed. Sign in again, then confirm it anew.',
  problem: null,
}

const ASKED_AGAIN = {
  class: 'refused',
  sent: true,
  title: 'The service asked for verification again, right after it had it',
  advice: 'Nothing was changed. This is a fault of the service, not of your code: report the trace id.',
} as const satisfies Partial<Outcome>

/** What came of sending a command, for the journal and for the person. `again`: after a step-up. */
export function outcomeOf(kind: AnyKind, row: CommandRow, sent: Sent<unknown> | OwnAct, again: boolean): Settled {
  const [params, facts] = [paramsOf(row), factsOf(row)]
  if (sent.kind === 'own') {
    const { refusal } = sent
    const note = { answer: 'none: the console’s own record', ...(refusal === undefined ? {} : { why: refusal.title }) }
    return refusal === undefined
      ? { state: 'done', outcome: { class: 'done', ...kind.tell(params, facts, null, null) }, note }
      : { state: 'refused', outcome: { class: 'refused', sent: false, ...refusal, problem: null }, note }
  }
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
      return { state: 'refused', outcome: notSent('why' in sent ? sent.why : ''), note }
    case 'done': {
      const { data, serviceTime } = sent as Extract<Sent<unknown>, { kind: 'answer' }>
      if (data !== null && kind.look !== null && kind.isComplete?.(data) === false) {
        return {
          state: 'accepted',
          outcome: { class: 'accepted', ...kind.tell(params, facts, data, serviceTime) },
          note,
        }
      }
      return { state: 'done', outcome: { class: 'done', ...kind.tell(params, facts, data, serviceTime) }, note }
    }
    case 'accepted': {
      // It goes on by itself, and nobody can read where it is.
      if (kind.look === null) return { state: 'unknown', outcome: unknownOf(kind, problem), note }
      const { data, serviceTime } = sent as Extract<Sent<unknown>, { kind: 'answer' }>
      return { state: 'accepted', outcome: { class: 'accepted', ...kind.tell(params, facts, data, serviceTime) }, note }
    }
    case 'challenged':
      if (again) return { state: 'refused', outcome: { ...ASKED_AGAIN, problem }, note }
      return { state: 'challenged', outcome: wantedFor(problem), note }
    case 'refused': {
      const words = problem === null ? { title: 'The service refused', advice: '' } : problemWords(problem, 'change')
      return { state: 'refused', outcome: { class: 'refused', sent: true, ...words, problem }, note }
    }
    case 'unknown':
      return {
        state: 'unknown',
        outcome: unknownOf(kind, problem),
        note,
      }
  }
}

const wantedFor = (problem: Problem | null): StepUpOutcome =>
  problem?.code === 'core::gatekeeper::enrol::required' ? enrolmentWanted() : codeWanted()

const unknownOf = ({ checking, unknownAdvice: advice }: AnyKind, problem: Problem | null): Outcome => ({
  class: 'unknown',
  checking,
  advice,
  traceId: problem?.traceId ?? null,
})
