import 'server-only'
import { config } from '#lib/config/config.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { readTotpStatus, verifyCode } from '#lib/core-api/security.ts'
import type { StepUpOutcome } from '#lib/domain/command.ts'
import { problemWords } from '#lib/domain/problem-words.ts'
import type { Session } from '#lib/session/session.ts'
import { grantOf, keepGrant } from '#lib/session/step-up-grants.ts'
import type { AnyKind } from './kinds.ts'
import { rejectedOnce, TRIES_MAX, triesLeft } from './step-up-tries.ts'

export type Verified =
  | { readonly ok: true }
  | { readonly ok: false; readonly outcome: StepUpOutcome }
  /** Every code of this prompt is used up. */
  | { readonly ok: false; readonly outcome: null }

const CODE = /^\d{6}$/

const asked = { class: 'step-up', rejected: false, triesLeft: TRIES_MAX, lockedUntil: null, problem: null } as const

/** Asks for a code; `kept` is what an earlier attempt left behind. */
export const codeWanted = (kept: Partial<StepUpOutcome> = {}): StepUpOutcome => ({
  ...asked,
  need: 'code',
  title: 'A code from your authenticator is needed',
  advice: 'Nothing has changed yet. The same change goes out again once the code is accepted.',
  ...kept,
})

export const enrolmentWanted = (): StepUpOutcome => ({
  ...asked,
  need: 'enrolment',
  title: 'This needs two-factor security',
  advice: 'Nothing has changed. Set up an authenticator under Security, then come back to this.',
})

const later = (problem: Problem): StepUpOutcome => {
  const { title, advice } = problemWords(problem)
  return { ...asked, need: 'later', title, advice, problem }
}

const unreachable: Problem = {
  kind: 'unreachable',
  status: null,
  code: null,
  title: null,
  traceId: null,
  retryAfterSeconds: null,
  scope: null,
}

/**
 * What the console itself asks before it sends: an enrolled operator where the service would let anyone pass, and a live
 * grant for the kinds that STEP_UP_EXTRA names. Null when nothing is missing.
 */
export async function missingBeforeSending(
  session: Session,
  commandId: string,
  kind: AnyKind,
  code: string | null,
): Promise<Exclude<Verified, { ok: true }> | null> {
  const { requireEnrolment, stepUpExtra } = config()
  const extra = stepUpExtra.includes(kind.kind)
  if (!extra && !(kind.needsEnrolment && requireEnrolment)) return null
  if (grantOf(session.id) !== null) return null
  const status = await readTotpStatus(session)
  if (!status.ok) return { ok: false, outcome: later(status.problem) }
  if (!status.value.enrolled) return { ok: false, outcome: enrolmentWanted() }
  if (!extra) return null
  if (code === null) return { ok: false, outcome: codeWanted({ lockedUntil: lockAhead(status.value.lockedUntil) }) }
  const verified = await verify(session, commandId, code)
  return verified.ok ? null : verified
}

/** What a command that waits for a second factor waits for now. Enrolment may be over meanwhile. */
export async function stillWanted(session: Session, stored: StepUpOutcome): Promise<StepUpOutcome> {
  if (stored.need === 'code') return stored
  const status = await readTotpStatus(session)
  if (!status.ok) return later(status.problem)
  return status.value.enrolled ? codeWanted({ lockedUntil: lockAhead(status.value.lockedUntil) }) : enrolmentWanted()
}

/** Exchanges a code for a grant. Sent once; whatever is wrong with a code, the service gives one answer. */
export async function verify(session: Session, commandId: string, code: string): Promise<Verified> {
  if (!CODE.test(code)) return { ok: false, outcome: codeWanted({ rejected: true, triesLeft: triesLeft(commandId) }) }
  const sent = await verifyCode(session, code)
  if (sent.kind !== 'answer') {
    return {
      ok: false,
      outcome: later({ ...unreachable, kind: sent.kind === 'session-over' ? 'session-over' : 'unreachable' }),
    }
  }
  if (sent.data !== null) {
    keepGrant(session.id, sent.data.token, sent.data.expiresAt)
    return { ok: true }
  }
  if (sent.problem?.code !== 'core::gatekeeper::code::invalid') {
    return { ok: false, outcome: later(sent.problem ?? { ...unreachable, kind: 'unreadable', status: sent.status }) }
  }
  const left = rejectedOnce(commandId)
  if (left === 0) return { ok: false, outcome: null }
  const status = await readTotpStatus(session)
  const lockedUntil = status.ok ? lockAhead(status.value.lockedUntil) : null
  return { ok: false, outcome: codeWanted({ rejected: true, triesLeft: left, lockedUntil }) }
}

const lockAhead = (lockedUntil: string | null): string | null =>
  lockedUntil !== null && Date.parse(lockedUntil) > Date.now() ? lockedUntil : null
