import 'server-only'
import type { Problem } from '#lib/contract/problem.ts'
import { SIGN_ON_OUT } from '#lib/service/authorized.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import { CONSOLE_FAULT, type Sent, STORE_OUT } from '#lib/service/send.ts'
import type { Outcome, StepUpOutcome } from './command.ts'
import type { OwnAct } from './command-kind.ts'
import type { CommandRow, CommandState, Note } from './command-table.ts'
import type { AnyKind } from './registry.ts'
import { codeWanted, enrolmentWanted } from './step-up.ts'
import { factsOf, paramsOf, unknownOutcome } from './view.ts'

export interface Settled {
  readonly state: CommandState
  readonly outcome: Outcome
  /** For the journal: what came back, without its body. */
  readonly note: Note
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

const FAULT_NOT_SENT: Outcome = {
  ...NOT_SENT,
  title: 'The console could not send it',
  advice: 'Nothing was sent. Try again; if it goes on, tell the people who run this console.',
}

/** Words for a change of which nothing went out, by the reason that `send` gives. */
export function notSent(why: string): Outcome {
  if (why === STORE_OUT) return STORE_NOT_SENT
  if (why === CONSOLE_FAULT) return FAULT_NOT_SENT
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
      ? { state: 'done', outcome: { class: 'done', ...kind.describeSuccess(params, facts, null, null) }, note }
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
          traceId: sent.traceId,
        }
      : { answer: sent.kind, why: sent.why }
  const problem = sent.kind === 'answer' ? sent.problem : null
  switch (classify(answer)) {
    case 'not-sent':
      return { state: 'refused', outcome: notSent('why' in sent ? sent.why : ''), note }
    case 'done': {
      const { data, serviceTime } = sent as Extract<Sent<unknown>, { kind: 'answer' }>
      if (data !== null && kind.reconcile !== null && kind.isComplete?.(data) === false) {
        return {
          state: 'accepted',
          outcome: { class: 'accepted', ...kind.describeSuccess(params, facts, data, serviceTime) },
          note,
        }
      }
      return {
        state: 'done',
        outcome: { class: 'done', ...kind.describeSuccess(params, facts, data, serviceTime) },
        note,
      }
    }
    case 'accepted': {
      // It goes on by itself, and nobody can read where it is.
      if (kind.reconcile === null) return { state: 'unknown', outcome: unknownOutcome(row), note }
      const { data, serviceTime } = sent as Extract<Sent<unknown>, { kind: 'answer' }>
      return {
        state: 'accepted',
        outcome: { class: 'accepted', ...kind.describeSuccess(params, facts, data, serviceTime) },
        note,
      }
    }
    case 'challenged':
      if (again) return { state: 'refused', outcome: { ...ASKED_AGAIN, problem }, note }
      return { state: 'challenged', outcome: wantedFor(problem), note }
    case 'refused': {
      const words = problem === null ? { title: 'The service refused', advice: '' } : problemWords(problem, 'change')
      return { state: 'refused', outcome: { class: 'refused', sent: true, ...words, problem }, note }
    }
    case 'unknown':
      return { state: 'unknown', outcome: unknownOutcome(row), note }
  }
}

const wantedFor = (problem: Problem | null): StepUpOutcome =>
  problem?.code === 'core::gatekeeper::enrol::required' ? enrolmentWanted() : codeWanted()

/** What came back from one attempt to send a change. */
export type Answer =
  | { readonly kind: 'not-sent' }
  | { readonly kind: 'lost' }
  | { readonly kind: 'answer'; readonly status: number; readonly code: string | null }

export type OutcomeClass = 'not-sent' | 'done' | 'accepted' | 'refused' | 'challenged' | 'unknown'

/** Faults of the service after which, by interface.md's table of error codes, nothing changed. */
const NOTHING_CHANGED = new Set([
  'core::tessera::update::fail',
  'core::tessera::terminal::update::fail',
  'core::gatekeeper::enrol::fail',
])

/** Refused for want of a second factor (interface.md, "Step-up verification"). */
const SECOND_FACTOR = new Set(['core::gatekeeper::required', 'core::gatekeeper::enrol::required'])

/** A gateway in between gives these when it stopped waiting; the service may have gone on. */
const GAVE_UP_WAITING = new Set([408, 499])

/**
 * Sorts an answer by what may have happened at the service. Whatever leaves room for doubt is `unknown`: only a refusal
 * that the interface gives as such, or a connection that was never made, says that nothing happened.
 */
export function classify(answer: Answer): OutcomeClass {
  if (answer.kind === 'not-sent') return 'not-sent'
  if (answer.kind === 'lost') return 'unknown'
  const { status, code } = answer
  if (status === 202) return 'accepted'
  if (status >= 200 && status < 300) return 'done'
  if (status === 403 && code !== null && SECOND_FACTOR.has(code)) return 'challenged'
  if (status >= 400 && status < 500) return GAVE_UP_WAITING.has(status) ? 'unknown' : 'refused'
  if (status === 503 && code === 'core::gatekeeper::grant::invalid') return 'refused'
  if (status === 500 && code !== null && NOTHING_CHANGED.has(code)) return 'refused'
  return 'unknown'
}
