import type { ErrorCode, Problem } from '#lib/contract/problem.ts'
import { TOO_MANY_CHANGES } from '#lib/contract/problem-of.ts'
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

export type RequestKind = 'read' | 'change'

const byCode = {
  'core::gatekeeper::grant::invalid': {
    title: 'Verification is not available right now',
    advice: 'Try again in a few minutes; no code is needed until then.',
    unchanged: true,
  },
  'core::gatekeeper::code::invalid': {
    title: 'The code was rejected',
    advice: 'Each code works once: wait for the next one, and check the clock of the authenticator.',
    unchanged: true,
  },
  'core::gatekeeper::totp::already_enrolled': {
    title: 'Two-factor security is set up already',
    advice: 'To move it to another device, remove it with a code, then set it up anew.',
    unchanged: true,
  },
  'core::gatekeeper::enrol::fail': {
    title: 'The service could not save the change',
    advice: 'Trying again is safe; if it goes on, report the trace id.',
    unchanged: true,
  },
  'core::tessera::not_found': {
    title: 'Card not found, or not visible to you',
    advice: 'Check the card id with its holder. It is looked up exactly as it stands.',
  },
  'core::tessera::request::invalid': {
    title: 'Its state does not allow this change',
    advice: 'It may be blocked or disabled already. Look at it again before you go on.',
    unchanged: true,
    asksForState: true,
  },
  'core::tessera::update::fail': {
    title: 'The service could not write the card',
    advice: 'Try again; if it goes on, report the trace id.',
    unchanged: true,
  },
  'core::tessera::terminal::not_found': {
    title: 'Not found, or not visible to you',
    advice: 'There is no such merchant or terminal, or it belongs to somebody whose terminals you may not see.',
  },
  'core::tessera::terminal::invalid': {
    title: 'The service does not take the terminal like this',
    advice: 'Check the merchant, the UID and the label.',
    unchanged: true,
  },
  'core::tessera::terminal::already_registered': {
    title: 'This UID is registered already',
    advice:
      'A UID is unique across the platform, so the reader belongs to this merchant or to another one. Check the UID on the reader.',
    unchanged: true,
  },
  'core::tessera::terminal::update::fail': {
    title: 'The service could not write the terminal',
    advice: 'Try again; if it goes on, report the trace id.',
    unchanged: true,
  },
} satisfies Partial<Record<ErrorCode, Refusal>>

const ofConsole: Readonly<Record<string, Refusal>> = {
  [TOO_MANY_CHANGES]: {
    title: 'Too many changes and codes in ten minutes',
    advice: 'Wait a minute, then try again.',
    unchanged: true,
  },
}

const byStatus: Readonly<Record<number, ProblemWords>> = {
  404: {
    title: 'Not found, or not visible to you',
    advice: 'Check what was typed. It is looked up exactly as it stands.',
  },
  429: { title: 'Too many requests', advice: 'The service asks for a pause.' },
}

const unavailable: ProblemWords = {
  title: 'The service could not answer',
  advice: 'Try again; if it goes on, report the trace id.',
}

const OWN_BOUND = 'Close some of your other tabs, then read again.'
const OWN_FAULT = 'Try again in a moment; if it goes on, tell the people who run this console.'

const other: Readonly<Record<Exclude<Problem['kind'], 'service' | 'console'>, ProblemWords>> = {
  unreachable: {
    title: 'The service cannot be reached',
    advice: 'No answer came. Try again in a moment; if it goes on, tell the people who run this console.',
  },
  unreadable: {
    title: 'The service answered in a way this console cannot read',
    advice: 'What it said does not fit its own interface. Report it with the time.',
  },
  'sign-on-out': {
    title: 'Single sign-on cannot be reached',
    advice: 'Your sign-in could not be renewed. You stay signed in: try again in a moment.',
  },
  'console-unreachable': consoleUnreachable,
  'session-over': { title: 'Your session has ended', advice: 'Sign in again. You come back to this page.' },
}

/** The service's titles are shown for 4xx only. `presentState`: read after a refusal. */
export function problemWords(
  problem: Problem,
  asked: RequestKind = 'read',
  presentState: string | null = null,
): ProblemWords {
  const { title, advice, unchanged, asksForState } = refusalOf(problem)
  if (presentState !== null) return { title, advice: asksForState ? presentState : `${presentState} ${advice}` }
  return { title, advice: unchanged && asked === 'change' ? `Nothing changed. ${advice}` : advice }
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
  if (words !== undefined) return { ...words, advice: words.advice + pause(problem) }
  return {
    title: problem.title ?? 'The service refused',
    advice: 'Check what was asked for.',
    unchanged: true,
    asksForState: true,
  }
}

const pause = ({ retryAfterSeconds }: Problem): string =>
  retryAfterSeconds === null ? '' : ` Try again in ${retryAfterSeconds} s.`
