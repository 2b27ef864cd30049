import 'server-only'
import { endpoints } from '#lib/contract/endpoints.ts'
import type { StepUpGrant, TotpEnrolment, TotpStatus } from '#lib/contract/security.ts'
import type { Session } from '#lib/session/session.ts'
import type { Result } from './answer.ts'
import { read } from './read.ts'
import { countRejected, forgetRejected } from './rejected-codes.ts'
import { type Sent, send } from './send.ts'
import { lockedSeconds } from './service-clock.ts'

/** `GET Security/totp`: the caller's own, the only endpoint that tells of enrolment. */
export async function readTotpStatus(session: Session): Promise<Result<TotpStatus>> {
  const status = await read(session, endpoints.security.status, {})
  // After a lock the service counts anew.
  if (status.ok && lockedSeconds(status.value.lockedUntil, status.serviceTime) !== null) forgetRejected(session)
  return status
}

/** `POST Security/totp/verify`: a code for a grant. Never itself challenged. */
export const verifyCode = (session: Session, code: string): Promise<Sent<StepUpGrant>> =>
  counted(session, send(session, endpoints.security.verify, {}, { code }))

/** `POST Security/totp/enrol`: a pending key, in the place of one that was pending before. Refuses 409 who is enrolled. */
export const enrolTotp = (session: Session): Promise<Sent<TotpEnrolment>> =>
  send(session, endpoints.security.enrol, {}, undefined)

/** `POST Security/totp/enrol/confirm`: a code of the pending key completes enrolment. */
export const confirmTotp = (session: Session, code: string): Promise<Sent<unknown>> =>
  counted(session, send(session, endpoints.security.confirm, {}, { code }))

/** `DELETE Security/totp`, with a current code. */
export const removeTotp = (session: Session, code: string): Promise<Sent<unknown>> =>
  counted(session, send(session, endpoints.security.remove, {}, { code }))

/** Proxies answer 200 too. */
export const isSuccess = ({ status, data }: Extract<Sent<unknown>, { kind: 'answer' }>): boolean =>
  data !== null || status === 204

async function counted<Data>(session: Session, sending: Promise<Sent<Data>>): Promise<Sent<Data>> {
  const sent = await sending
  if (sent.kind !== 'answer') return sent
  if (isSuccess(sent)) forgetRejected(session)
  else if (sent.problem?.code === 'core::gatekeeper::code::invalid') countRejected(session)
  return sent
}
