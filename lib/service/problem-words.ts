import type { ErrorCode, Problem } from '#lib/contract/problem.ts'
import { CHANGES_STOPPED, TOO_MANY_CHANGES } from '#lib/contract/problem-of.ts'
import { ownProperty } from '#lib/values/words.ts'
import { consoleUnreachable } from './console-unreachable.ts'

export interface ProblemWords {
  readonly title: string
  readonly advice: string
}

interface Refusal extends ProblemWords {
  /** The refused change had no effect. */
  readonly unchanged?: true
  readonly asksForState?: true
}

const byCode = {
  'core::gatekeeper::grant::invalid': {
    title: 'Verification is not available right now',
    advice: 'Try again in a few minutes; no code is needed until then.',
    unchanged: true,
  },
  'core::gatekeeper::code::invalid': {
    title: 'The code was rejected',
    advice: 'Wait for the next code: each works once. Check your authenticator’s clock.',
    unchanged: true,
  },
  'core::gatekeeper::totp::already_enrolled': {
    title: 'Two-factor security is already set up',
    advice: 'To change devices, remove it with a code, then set it up again.',
    unchanged: true,
  },
  'core::gatekeeper::enrol::fail': {
    title: 'The service could not save the change',
    advice: 'You can safely try again. If it persists, report the trace id.',
    unchanged: true,
  },
  'core::tessera::not_found': {
    title: 'Card not found, or not visible to you',
    advice: 'Check the card id with its holder. It must match exactly.',
  },
  'core::tessera::request::invalid': {
    title: 'Its state does not allow this change',
    advice: 'It may already be blocked or disabled. Check it before you continue.',
    unchanged: true,
    asksForState: true,
  },
  'core::tessera::update::fail': {
    title: 'The service could not save the card',
    advice: 'Try again. If it persists, report the trace id.',
    unchanged: true,
  },
  'core::tessera::terminal::not_found': {
    title: 'Not found, or not visible to you',
    advice: 'The merchant or terminal does not exist, or you cannot see it.',
  },
  'core::tessera::terminal::invalid': {
    title: 'The service did not accept the terminal',
    advice: 'Check the merchant, the UID and the label.',
    unchanged: true,
  },
  'core::tessera::terminal::already_registered': {
    title: 'This UID is already registered',
    advice: 'It is registered to this or another merchant. Check the UID on the reader.',
    unchanged: true,
  },
  'core::tessera::terminal::update::fail': {
    title: 'The service could not save the terminal',
    advice: 'Try again. If it persists, report the trace id.',
    unchanged: true,
  },
} satisfies Partial<Record<ErrorCode, Refusal>>

const ofConsole: Readonly<Record<string, Refusal>> = {
  [TOO_MANY_CHANGES]: {
    title: 'Too many changes and codes in ten minutes',
    advice: 'Wait a minute, then try again.',
    unchanged: true,
  },
  [CHANGES_STOPPED]: {
    title: 'Changes are stopped: the database is not the one that the witness confirmed',
    advice: 'You can read on. Contact your administrator.',
    unchanged: true,
  },
}

const byStatus: Readonly<Record<number, ProblemWords>> = {
  404: { title: 'Not found, or not visible to you', advice: 'Check what you entered. It must match exactly.' },
  429: { title: 'Too many requests', advice: 'The service needs a pause.' },
}

const unavailable: ProblemWords = {
  title: 'The service could not answer',
  advice: 'Try again. If it persists, report the trace id.',
}

const OWN_BOUND = 'Close some other tabs, then try again.'
const OWN_FAULT = 'Try again in a moment. If it persists, contact your administrator.'

const other: Readonly<Record<Exclude<Problem['kind'], 'service' | 'console'>, ProblemWords>> = {
  unreachable: {
    title: 'The service cannot be reached',
    advice: 'No answer came. Try again in a moment. If it persists, contact your administrator.',
  },
  unreadable: {
    title: 'The service’s answer cannot be read',
    advice: 'Its data is not valid. Report it with the time.',
  },
  'sign-on-out': {
    title: 'Single sign-on cannot be reached',
    advice: 'Your sign-in could not be renewed. You stay signed in: try again in a moment.',
  },
  'console-unreachable': consoleUnreachable,
  'session-over': { title: 'Your session has ended', advice: 'Sign in again to return to this page.' },
}

/** The service's titles are shown for 4xx only. `presentState`: read after a refusal. */
export function problemWords(
  problem: Problem,
  request: 'read' | 'change' = 'read',
  presentState: string | null = null,
): ProblemWords {
  const { title, advice, unchanged, asksForState } = refusalOf(problem)
  if (presentState !== null) return { title, advice: asksForState ? presentState : `${presentState} ${advice}` }
  return { title, advice: unchanged && request === 'change' ? `Nothing changed. ${advice}` : advice }
}

function refusalOf(problem: Problem): Refusal {
  if (problem.kind === 'console') {
    const advice = problem.status === 429 ? OWN_BOUND : OWN_FAULT
    return { title: problem.title ?? 'The console could not answer', advice }
  }
  if (problem.kind !== 'service') return other[problem.kind]
  const known =
    problem.code === null ? undefined : (ownProperty(byCode, problem.code) ?? ownProperty(ofConsole, problem.code))
  if (known !== undefined) return known
  const status = problem.status ?? 500
  if (status >= 500) return unavailable
  if (status === 403 && problem.scope !== null) {
    return { title: 'You are not permitted to do this', advice: `It needs the scope ${problem.scope}.` }
  }
  const words = byStatus[status]
  if (words !== undefined) return words
  return {
    title: problem.title?.trim() || 'The service refused',
    advice: status === 403 ? 'If you need access, ask your administrator.' : 'Check your input.',
    unchanged: true,
    asksForState: true,
  }
}

export const pauseSeconds = (problem: Problem | null): number | null =>
  problem?.status === 429 ? problem.retryAfterSeconds : null
