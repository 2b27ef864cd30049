import 'server-only'
import { config } from '#lib/config/config.ts'
import { type BoundedCache, boundedCache, perProcess } from '#lib/config/per-process.ts'
import { endpoints } from '#lib/contract/endpoints.ts'
import type { StepUpGrant, TotpEnrolment, TotpStatus } from '#lib/contract/security.ts'
import type { Session } from '#lib/session/session.ts'
import { lockedSeconds, type Result, read, type Sent, send } from './client.ts'

/** The only endpoint that reveals enrolment. */
export async function readTotpStatus(session: Session): Promise<Result<TotpStatus>> {
  const status = await read(session, endpoints.security.status, {})
  // The service counts from zero after a lock.
  if (status.ok && lockedSeconds(status.value.lockedUntil, status.serviceTime) !== null) forgetRejected(session)
  return status
}

export const verifyCode = (session: Session, code: string): Promise<Sent<StepUpGrant>> =>
  counted(session, send(session, endpoints.security.verify, {}, { code }))

/** Replaces a pending key. 409 if enrolled. */
export const enrolTotp = (session: Session): Promise<Sent<TotpEnrolment>> =>
  send(session, endpoints.security.enrol, {}, undefined)

export const confirmTotp = (session: Session, code: string): Promise<Sent<unknown>> =>
  counted(session, send(session, endpoints.security.confirm, {}, { code }))

export const removeTotp = (session: Session, code: string): Promise<Sent<unknown>> =>
  counted(session, send(session, endpoints.security.remove, {}, { code }))

/** Proxies answer 200 too. */
const isSuccess = ({ status, data }: Extract<Sent<unknown>, { kind: 'answer' }>): boolean =>
  data !== null || status === 204

async function counted<Data>(session: Session, sending: Promise<Sent<Data>>): Promise<Sent<Data>> {
  const sent = await sending
  if (sent.kind !== 'answer') return sent
  if (isSuccess(sent)) forgetRejected(session)
  else if (sent.problem?.code === 'core::gatekeeper::code::invalid') countRejected(session)
  return sent
}

const KEPT_MAX = 10_000

/** Per actor, consecutive. Other processes and earlier runs are not counted. */
const rejected = (): BoundedCache<number> => perProcess('rejected codes', () => boundedCache(KEPT_MAX))

const countRejected = ({ actor }: Session): void => void rejected().set(actor, (rejected().get(actor) ?? 0) + 1)

const forgetRejected = ({ actor }: Session): void => void rejected().delete(actor)

/** Null if the threshold is not configured. */
export function isLockNext({ actor }: Session): boolean | null {
  const { after } = config().codeLock
  return after === null ? null : (rejected().get(actor) ?? 0) >= after - 1
}
