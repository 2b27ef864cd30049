import { unstable_rethrow } from 'next/navigation'
import { z } from 'zod'
import { refusedToMake } from '#lib/authorization/judge.ts'
import { changes } from '#lib/authorization/table.ts'
import type { CommandReply, DraftReply } from '#lib/commands/command.ts'
import { STORE_OUT } from '#lib/commands/own-problem.ts'
import { hasRoom } from '#lib/commands/rate-limit.ts'
import { recordRefusal } from '#lib/commands/recorded-act.ts'
import type { AnyKind } from '#lib/commands/registry.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { noteFault } from '#lib/values/typed-line.ts'
import { json, refuse, refuseAccess, refuseTooMany, serveOwn, unavailable } from '../answer.ts'

/** Why a person says or does something about a command, as it goes into the journal. */
export const note = z
  .string()
  .trim()
  .refine((why) => noteFault(why, 'empty') === null)

/** Of what is typed to prove that it is the right object. */
export const PROOF_MAX_CHARS = 500

/** What the command endpoint answers about a command. */
export function answer(reply: CommandReply): Response {
  if (reply.ok) return json(reply)
  const { status } = reply.problem
  if (status === 403 || status === 409) return json({ ...reply, fields: {} }, status)
  return refuse(404, 'There is no such change of yours.')
}

const JOURNAL_OUT = 'The console cannot write its journal right now, so it changes nothing'

/**
 * Serves a request at the command endpoint. What fails here has changed nothing: a change that was sent has been settled, or is
 * told as not known, before anything can throw.
 */
export function serveCommand(request: Request, serve: (session: Session) => Promise<Response>): Promise<Response> {
  return serveOwn(request, async (session) => {
    try {
      return await serve(session)
    } catch (error) {
      return commandFault(error, request.method === 'GET' ? STORE_OUT : JOURNAL_OUT)
    }
  })
}

export function commandFault(error: unknown, storeOut = JOURNAL_OUT): Response {
  unstable_rethrow(error)
  return unavailable(error, storeOut)
}

/** What the command endpoint answers about a draft that was not made. */
export const notDrafted = (reply: Extract<DraftReply, { ok: false }>): Response =>
  reply.problem?.status === 429 ? refuseTooMany() : json(reply)

/** Refuses a new change: of somebody whose scopes do not allow it, and of somebody who makes more than anyone does by hand. */
export async function refuseNew(session: Session, { kind }: Pick<AnyKind, 'kind'>): Promise<Response | null> {
  const refusal = await refusedToMake(session, changes[kind])
  if (refusal === null) return (await hasRoom(await store(), session.actor)) ? null : refuseTooMany()
  await recordRefusal(session, kind, refusal)
  return refuseAccess(refusal)
}
