import 'server-only'
import type { Problem } from '#lib/contract/problem.ts'
import { CONSOLE_FAULT, type Sent, SIGN_ON_OUT, STORE_OUT } from '#lib/service/client.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import { type AcceptedAnswer, type Outcome, refusedUnsent, type StepUpOutcome } from './command.ts'
import type { Agreement, AnyServiceCommand, ConsoleRefusal, Description } from './kind.ts'
import { type CommandRow, type CommandState, factsOf, type Note, paramsOf, userIdOf } from './row.ts'
import { codeRequired, enrolmentRequired } from './step-up.ts'
import { acceptedOutcome, readsEffect, unknownOutcome } from './view.ts'

export interface Settled {
  readonly state: CommandState
  readonly outcome: Outcome
  readonly note: Note
}

const NOT_SENT: Outcome = refusedUnsent('The service cannot be reached', 'Nothing was sent. Try again in a moment.')

const STORE_NOT_SENT: Outcome = refusedUnsent(
  'The console’s database cannot be read',
  'Nothing was sent. Try again in a moment.',
)
const NOT_RENEWED: Outcome = { ...NOT_SENT, title: 'Single sign-on cannot be reached' }

const FAULT_NOT_SENT: Outcome = {
  ...NOT_SENT,
  title: 'The console could not send it',
  advice: 'Nothing was sent. Try again. If it persists, contact your administrator.',
}

export function notSent(why: string): Outcome {
  if (why === STORE_OUT) return STORE_NOT_SENT
  if (why === CONSOLE_FAULT) return FAULT_NOT_SENT
  return why === SIGN_ON_OUT ? NOT_RENEWED : NOT_SENT
}

const SESSION_OVER: Outcome = refusedUnsent(
  'Your session has ended',
  'Nothing was changed. Sign in again, then confirm again.',
)

const ASKED_AGAIN = {
  class: 'refused',
  sent: true,
  title: 'The service asked for a code again right after accepting one',
  advice: 'Nothing was changed. Your code was right; report the trace id.',
} as const satisfies Partial<Outcome>

/** `again`: after a step-up by this confirmation. */
export function outcomeOf(kind: AnyServiceCommand, row: CommandRow, sent: Sent<unknown>, again: boolean): Settled {
  if (sent.kind === 'session-over') return { state: 'refused', outcome: SESSION_OVER, note: { answer: 'session-over' } }
  if (sent.kind !== 'answer') {
    const note = { answer: sent.kind, why: sent.why }
    return sent.kind === 'not-sent'
      ? { state: 'refused', outcome: notSent(sent.why), note }
      : { state: 'unknown', outcome: unknownOutcome(row), note }
  }
  const { status, problem, traceId } = sent
  const note = { answer: 'answer', status, code: problem?.code ?? null, traceId }
  switch (classify(sent)) {
    case 'success':
      return outcomeOfSuccess(kind, row, sent, note)
    case 'accepted':
      return watched(kind, row, 'under-way', note)
    case 'challenged':
      if (again) return { state: 'refused', outcome: { ...ASKED_AGAIN, problem }, note }
      return { state: 'challenged', outcome: requiredFor(problem), note }
    case 'refused': {
      const words = problem === null ? { title: 'The service refused', advice: '' } : problemWords(problem, 'change')
      return { state: 'refused', outcome: { class: 'refused', sent: true, ...words, problem }, note }
    }
    case 'unknown':
      return { state: 'unknown', outcome: unknownOutcome(row), note }
  }
}

/** In the journal: nothing was asked of the service. */
const NO_ANSWER = 'none: recorded in this console only'

export function refusedByConsole(refusal: ConsoleRefusal): Settled {
  const note = { answer: NO_ANSWER, why: refusal.title }
  return { state: 'refused', outcome: { class: 'refused', sent: false, ...refusal, problem: null }, note }
}

export const recorded = (description: Description): Settled => done(description, { answer: NO_ANSWER })

const done = (description: Description, note: Note): Settled => ({
  state: 'done',
  outcome: { class: 'done', ...description },
  note,
})

type Answer = Extract<Sent<unknown>, { kind: 'answer' }>

/** A success status alone proves nothing: proxies and maintenance pages answer 200 too. */
function outcomeOfSuccess(kind: AnyServiceCommand, row: CommandRow, answer: Answer, note: Note): Settled {
  const [params, facts] = [paramsOf(row), factsOf(row)]
  const { status, data, serviceTime } = answer
  const noContent = status === NO_CONTENT
  const agreement = noContent ? 'silent' : compare(kind, row, data)
  const compared = { ...note, says: noContent ? 'nothing' : agreement }
  if (agreement === 'agrees') return done(kind.describeSuccess(params, facts, data, serviceTime), compared)
  if (noContent && kind.describeNoContent !== undefined) return done(kind.describeNoContent(params, facts), compared)
  return watched(kind, row, agreement === 'silent' ? 'success' : 'unclear', compared)
}

/** interface.md, "HTTP statuses": success, no body. */
const NO_CONTENT = 204

function compare(kind: AnyServiceCommand, row: CommandRow, data: unknown): Agreement | 'unreadable' {
  if (data === null) return 'unreadable'
  return kind.compareAnswer({ params: paramsOf(row), facts: factsOf(row), data, actorUserId: userIdOf(row.actor) })
}

function watched(kind: AnyServiceCommand, row: CommandRow, answer: AcceptedAnswer, note: Note): Settled {
  if (!readsEffect(kind) || kind.hasHiddenEffect) {
    return { state: 'unknown', outcome: unknownOutcome(row), note }
  }
  return { state: 'accepted', outcome: acceptedOutcome(answer), note }
}

const requiredFor = (problem: Problem | null): StepUpOutcome =>
  problem?.code === 'core::gatekeeper::enrol::required' ? enrolmentRequired() : codeRequired()

/** 5xx errors after which nothing changed (interface.md, table of error codes). */
const NOTHING_CHANGED = new Set([
  'core::tessera::update::fail',
  'core::tessera::terminal::update::fail',
  'core::gatekeeper::enrol::fail',
])

/** interface.md, "Step-up verification". */
const SECOND_FACTOR = new Set(['core::gatekeeper::required', 'core::gatekeeper::enrol::required'])

/** Gateways send these after a timeout; the service may have continued. */
const GAVE_UP_WAITING = new Set([408, 499])

/** Any doubt is `unknown`: only a refusal that the interface specifies means that nothing happened. */
export function classify({ status, problem }: Pick<Answer, 'status' | 'problem'>) {
  const code = problem?.code ?? null
  if (status === 202) return 'accepted'
  if (status >= 200 && status < 300) return 'success'
  if (status === 403 && code !== null && SECOND_FACTOR.has(code)) return 'challenged'
  if (problem?.kind === 'unreadable') return 'unknown'
  if (status >= 400 && status < 500) return GAVE_UP_WAITING.has(status) ? 'unknown' : 'refused'
  if (status === 503 && code === 'core::gatekeeper::grant::invalid') return 'refused'
  if (status === 500 && code !== null && NOTHING_CHANGED.has(code)) return 'refused'
  return 'unknown'
}
