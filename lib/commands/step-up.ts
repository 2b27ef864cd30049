import 'server-only'
import type { Kysely } from 'kysely'
import { config } from '#lib/config/config.ts'
import { type BoundedCache, boundedCache, perProcess } from '#lib/config/per-process.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { TotpStatus } from '#lib/contract/security.ts'
import { endByThisClock, lockedSeconds, type Result, SIGN_ON_OUT } from '#lib/service/client.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import { isLockNext, readTotpStatus, verifyCode } from '#lib/service/security.ts'
import { writeAudit } from '#lib/session/audit-trail.ts'
import { grantOf, Session, saveGrant } from '#lib/session/session.ts'
import { isCurrentHandle } from '#lib/session/vault/handle-table.ts'
import { rotateHandle } from '#lib/session/vault/vault.ts'
import { store } from '#lib/store/store.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import { KeyedMutex } from '#lib/values/concurrency.ts'
import { isUuid } from '#lib/values/ids.ts'
import { type LockAhead, readCode } from './code.ts'
import type { StepUpOutcome } from './command.ts'
import type { AnyCommand } from './kind.ts'
import { countCode, tooManyChanges } from './rate-limit.ts'
import type { CommandRow } from './row.ts'

export type Verified =
  | { readonly ok: true }
  | { readonly ok: false; readonly outcome: StepUpOutcome }
  /** No tries left. */
  | { readonly ok: false; readonly outcome: null }

const TRIES_MAX = 3

const PROMPT = {
  class: 'step-up',
  rejected: false,
  triesLeft: TRIES_MAX,
  lockedSeconds: null,
  lockAhead: { isNext: false, seconds: null },
  digits: null,
  problem: null,
} as const

export const codeRequired = (known: Partial<StepUpOutcome> = {}): StepUpOutcome => ({
  ...PROMPT,
  need: 'code',
  title: 'A code from your authenticator is needed',
  advice: 'Nothing has changed yet. It is sent once the code is accepted.',
  ...known,
})

export const enrolmentRequired = (): StepUpOutcome => ({
  ...PROMPT,
  need: 'enrolment',
  title: 'This needs two-factor security',
  advice: 'Nothing has changed. Set up an authenticator under Security, then come back.',
})

export const later = (problem: Problem): StepUpOutcome => ({
  ...PROMPT,
  need: 'later',
  ...problemWords(problem, 'change'),
  problem,
})

const tryAgain = (words: Pick<StepUpOutcome, 'title' | 'advice'>): StepUpOutcome => ({
  ...PROMPT,
  need: 'later',
  ...words,
})

const RENEWED_ELSEWHERE = {
  title: 'Your session was renewed in another tab',
  advice: 'Nothing has changed yet. Try again.',
} as const

const NOT_RENEWED = {
  title: 'The code was accepted, but your session could not be renewed',
  advice: 'Nothing has changed. Try again with the next code: each works once.',
} as const

/** The code was sent, so it may be used up. */
const UNCHECKED = {
  title: 'The code could not be checked',
  advice: 'Nothing has changed. Try again with the next code: each works once.',
} as const

/** Nothing is sent while enrolment cannot be read: the lost answer of a gated request would be unknown. */
export async function missingBeforeSending(
  session: Session,
  commandId: string,
  kind: AnyCommand,
  code: string | null,
): Promise<Exclude<Verified, { ok: true }> | null> {
  const { requireEnrolment, stepUpExtra } = config()
  const extra = stepUpExtra.includes(kind.kind)
  const needsEnrolment = 'send' in kind && kind.needsEnrolment === true
  const onlyEnrolled = needsEnrolment && requireEnrolment
  const granted = grantOf(session) !== null
  if (granted ? !onlyEnrolled : !extra && !needsEnrolment) return null
  const required = await requiredStepUp(session, commandId)
  if (required.need === 'later') return { ok: false, outcome: required }
  if (required.need === 'enrolment') return extra || onlyEnrolled ? { ok: false, outcome: required } : null
  if (granted) return null
  if (code === null || required.lockedSeconds !== null) return { ok: false, outcome: required }
  const verified = await verify(session, { id: commandId, kind: kind.kind }, code)
  return verified.ok ? null : verified
}

export async function requiredStepUp(session: Session, commandId: string): Promise<StepUpOutcome> {
  const status = await readTotpStatus(session)
  if (!status.ok) return later(status.problem)
  if (!status.value.enrolled) return enrolmentRequired()
  return codeRequired({ triesLeft: triesLeft(commandId), ...(await promptOf(session, status)) })
}

const codeChecks = (): KeyedMutex => perProcess('code checks', () => new KeyedMutex())

/** Two tabs with the same code use it once: the second finds its session handle replaced. */
export async function verify(
  session: Session,
  command: ForCommand,
  typed: string,
  { fresh = false } = {},
): Promise<Verified> {
  const code = readCode(typed)
  if (code === null) return { ok: false, outcome: codeRequired({ rejected: true, triesLeft: triesLeft(command.id) }) }
  return await codeChecks().run(session.id, async () => {
    if (!fresh && grantOf(session) !== null) return { ok: true }
    const isCurrent = await isCurrentHandle(await store(), Session.handleOf(session).idHash)
    if (!isCurrent) return { ok: false, outcome: tryAgain(RENEWED_ELSEWHERE) }
    if (!(await countCode(await store(), session.actor))) return { ok: false, outcome: later(tooManyChanges) }
    return await checkCode(session, command, code)
  })
}

type ForCommand = Pick<CommandRow, 'id' | 'kind'>

/** Sends the code once. The service gives one answer for every invalid code. */
async function checkCode(session: Session, { id, kind }: ForCommand, code: string): Promise<Verified> {
  const sent = await verifyCode(session, code)
  const entry = { by: session, about: isUuid(id) ? id : '' }
  const notKnown = () => writeAudit({ ...entry, kind: 'step-up.not-known', facts: { change: kind } })
  if (sent.kind === 'session-over') return { ok: false, outcome: later(problemOf('session-over')) }
  if (sent.kind !== 'answer') {
    if (sent.kind === 'lost') await notKnown()
    const out = sent.why === SIGN_ON_OUT ? 'sign-on-out' : 'unreachable'
    return { ok: false, outcome: { ...later(problemOf(out)), ...UNCHECKED } }
  }
  if (sent.data !== null) {
    forgetTries(id)
    const until = endByThisClock(sent.data.expiresAt, sent.serviceTime)
    await writeAudit({ ...entry, kind: 'step-up.verify', facts: { change: kind, until } })
    // Before sending, so that another holder of the old session handle gains nothing.
    if (!(await rotateHandle(session))) return { ok: false, outcome: tryAgain(NOT_RENEWED) }
    saveGrant(session, sent.data.token, until)
    return { ok: true }
  }
  const { status, problem } = sent
  if (problem === null) {
    await notKnown()
    return { ok: false, outcome: later(problemOf('unreadable', { status })) }
  }
  if (problem.code !== 'core::gatekeeper::code::invalid') {
    if (isRefusal(problem)) return { ok: false, outcome: later(problem) }
    await notKnown()
    return { ok: false, outcome: { ...later(problem), ...UNCHECKED } }
  }
  const left = rejectedOnce(id)
  const now = await readTotpStatus(session)
  const prompt = now.ok ? await promptOf(session, now) : { lockedSeconds: null, lockAhead: lockAhead(session) }
  await writeAudit(
    prompt.lockedSeconds === null
      ? { ...entry, kind: 'step-up.reject', facts: { change: kind, triesLeft: left } }
      : { ...entry, kind: 'step-up.lock', facts: { change: kind, seconds: prompt.lockedSeconds } },
  )
  return { ok: false, outcome: left <= 0 ? null : codeRequired({ rejected: true, triesLeft: left, ...prompt }) }
}

/** Whether the service certainly did not check the code. */
const isRefusal = ({ code, status }: Problem): boolean =>
  code === 'core::gatekeeper::grant::invalid' || (status ?? 500) < 500

export const lockAhead = (session: Session): LockAhead => ({
  isNext: isLockNext(session),
  seconds: config().codeLock.seconds,
})

async function promptOf(
  session: Session,
  { value: { lockedUntil, enrolledAt }, serviceTime }: Extract<Result<TotpStatus>, { ok: true }>,
): Promise<Pick<StepUpOutcome, 'lockedSeconds' | 'lockAhead' | 'digits'>> {
  const digits = await digitsOf(await store(), session.actor, enrolledAt)
  return { lockedSeconds: lockedSeconds(lockedUntil, serviceTime), lockAhead: lockAhead(session), digits }
}

const KEPT_MAX = 10_000

const rejections = (): BoundedCache<number> => perProcess('code rejections', () => boundedCache(KEPT_MAX))

const triesLeft = (commandId: string): number => TRIES_MAX - (rejections().get(commandId) ?? 0)

export const forgetTries = (commandId: string): void => void rejections().delete(commandId)

function rejectedOnce(commandId: string): number {
  rejections().set(commandId, (rejections().get(commandId) ?? 0) + 1)
  return triesLeft(commandId)
}

/** Valid once the key is confirmed. */
export async function saveDigits(trx: Trx, actor: string, digits: number): Promise<void> {
  await trx
    .insertInto('totp_digits')
    .values({ actor, digits, enrolled_at: null })
    .onConflict((conflict) => conflict.column('actor').doUpdateSet({ digits, enrolled_at: null }))
    .execute()
}

export async function deleteDigits(trx: Trx, actor: string): Promise<void> {
  await trx.deleteFrom('totp_digits').where('actor', '=', actor).execute()
}

export async function confirmDigits(db: Kysely<Tables>, actor: string, enrolledAt: string): Promise<void> {
  await db.updateTable('totp_digits').set({ enrolled_at: enrolledAt }).where('actor', '=', actor).execute()
}

/** Null if this console did not make the key. */
export async function digitsOf(db: Kysely<Tables>, actor: string, enrolledAt: string | null): Promise<number | null> {
  if (enrolledAt === null) return null
  const row = await db
    .selectFrom('totp_digits')
    .select('digits')
    .where('actor', '=', actor)
    .where('enrolled_at', '=', enrolledAt)
    .executeTakeFirst()
  return row?.digits ?? null
}
