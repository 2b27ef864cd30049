import { unstable_rethrow } from 'next/navigation'
import { z } from 'zod'
import { refusedToMake } from '#lib/authorization/judge.ts'
import { changes } from '#lib/authorization/table.ts'
import type { CommandReply, DraftReply } from '#lib/commands/command.ts'
import type { AnyKind } from '#lib/commands/kind.ts'
import { hasRoom } from '#lib/commands/rate-limit.ts'
import { recordRefusal } from '#lib/commands/record.ts'
import { STORE_OUT } from '#lib/commands/send.ts'
import { currentWork } from '#lib/config/log.ts'
import { CHANGES_STOPPED } from '#lib/contract/problem-of.ts'
import { isDatabaseError } from '#lib/database/database-error.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { noteFault } from '#lib/values/text.ts'
import { json, refuse, refuseAccess, refuseTooMany, serveSession, unavailable } from '../answer.ts'

export const note = z
  .string()
  .trim()
  .refine((why) => noteFault(why, 'empty') === null)

/** SHA-256 in hexadecimal. */
export const digest = z.string().regex(/^[0-9a-f]{64}$/)

/** Limit for the text that an operator types to prove that it is the right object. */
export const PROOF_MAX_CHARS = 500

export function answer(reply: CommandReply): Response {
  if (reply.ok) return json(reply)
  const { status, code } = reply.problem
  if (status === 403 || status === 409) return json({ ...reply, fields: {} }, status)
  if (code === CHANGES_STOPPED) return json({ ...reply, fields: {} }, 503)
  return refuse(404, 'Change not found.')
}

const JOURNAL_OUT = 'The console cannot write its journal right now, so nothing was changed'

export const serveCommand = (request: Request, serve: (session: Session) => Promise<Response>): Promise<Response> =>
  serveSession(request, async (session) => {
    try {
      return await serve(session)
    } catch (error) {
      return commandFault(error, request.method === 'GET' ? STORE_OUT : JOURNAL_OUT)
    }
  })

export function commandFault(error: unknown, storeOut = JOURNAL_OUT): Response {
  unstable_rethrow(error)
  const answer = unavailable(error, storeOut)
  return mayHaveWritten(error) ? new Response(null, { status: 503, headers: { 'cache-control': 'no-store' } }) : answer
}

/** Then the browser must ask what became of the change: it does so after an answer without a body. */
const mayHaveWritten = (error: unknown): boolean =>
  currentWork().request?.hasWritten === true || (isDatabaseError(error) && error.statement === 'commit')

export const notDrafted = (reply: Extract<DraftReply, { ok: false }>): Response =>
  reply.problem?.status === 429 ? refuseTooMany() : json(reply)

/** Refuses without the scope, which the audit trail records, or beyond the rate limit. */
export async function refuseNew(session: Session, { kind }: Pick<AnyKind, 'kind'>): Promise<Response | null> {
  const refusal = await refusedToMake(session, changes[kind])
  if (refusal === null) return (await hasRoom(await store(), session.actor)) ? null : refuseTooMany()
  await recordRefusal(session, kind, refusal)
  return refuseAccess(refusal)
}
