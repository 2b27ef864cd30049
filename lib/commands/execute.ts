import 'server-only'
import { readCode } from '#lib/domain/code.ts'
import type { CommandReply, CommandView } from '#lib/domain/command.ts'
import type { Session } from '#lib/session/session.ts'
import { verifiedUntil } from '#lib/session/step-up-grants.ts'
import { type CommandRow, type CommandState, findCommand, startCommand } from '#lib/store/commands.ts'
import { store } from '#lib/store/store.ts'
import { answerChallenge } from './challenge.ts'
import { DRAFT_LIFE_MS } from './draft-life.ts'
import { heldFault } from './held.ts'
import { kindNamed } from './kinds.ts'
import { notFound } from './not-found.ts'
import { notHere } from './other-version.ts'
import { whileSending } from './running-sends.ts'
import { type Detach, sendDetached } from './send-detached.ts'
import { missingBeforeSending } from './step-up.ts'
import { endedByCodes, endUnsent, stoppedByFacts } from './stopped.ts'
import { factsOf, kindOf, paramsOf, viewOf } from './view.ts'

/** What travels with an execution, and nowhere else. */
export interface Given {
  /** From an authenticator. */
  readonly code: string | null
  /** What was typed to prove that this is the right object. */
  readonly proof: string | null
  /** The draft was made in this very request, so what it read is not read again. */
  readonly fresh?: boolean
}

/**
 * The second half of the door: sends a stored draft, once. Whoever comes second, by a double click, a resubmit or
 * another tab, gets the stored outcome and sends nothing. A command that waits for a code goes out again with one.
 */
export async function executeCommand(
  session: Session,
  id: string,
  given: Given,
  detach: Detach,
): Promise<CommandReply> {
  const before = verifiedUntil(session.id)
  const reply = await execute(session, id, given, detach)
  const now = verifiedUntil(session.id)
  return reply.ok && now !== before ? { ...reply, verifiedUntil: now } : reply
}

async function execute(session: Session, id: string, given: Given, detach: Detach): Promise<CommandReply> {
  const row = await findCommand(await store(), id)
  if (row === undefined || row.actor !== session.actor) return notFound
  const state = row.state as CommandState
  const goesOn = state === 'draft' || state === 'challenged'
  if (goesOn && kindNamed(row.kind) === undefined) return { ok: true, command: viewOf(row, notHere) }
  if (state === 'challenged') return await answerChallenge(session, row, given.code, detach)
  if (state !== 'draft') return { ok: true, command: viewOf(row) }
  const stopped = await stoppedBeforeSending(session, row, given)
  return stopped === null ? await sendDraft(session, row, given.code, detach) : { ok: true, command: stopped }
}

async function stoppedBeforeSending(session: Session, row: CommandRow, given: Given): Promise<CommandView | null> {
  if (Date.now() > Date.parse(row.created_at) + DRAFT_LIFE_MS) {
    return await endUnsent(row, {
      class: 'refused',
      sent: false,
      title: 'This was prepared more than ten minutes ago',
      advice: 'Nothing was sent. Check it again and confirm it anew.',
      problem: null,
    })
  }
  const kind = kindOf(row)
  const proof = kind.proof?.(paramsOf(row), factsOf(row)) ?? null
  if (proof !== null && given.proof?.trim() !== proof.expected.trim()) {
    return viewOf(row, {
      class: 'refused',
      sent: false,
      title: 'What was typed is not what was asked for',
      advice: `Nothing was sent. ${proof.label}.`,
      problem: null,
    })
  }
  if (kind.takesCode && readCode(given.code) === null) {
    return viewOf(row, {
      class: 'refused',
      sent: false,
      title: 'A code is needed',
      advice: 'Nothing was sent. Type the code that the authenticator shows.',
      problem: null,
    })
  }
  // Nobody is asked for a code for what has changed; and what was typed takes a while, so the facts are read after a code.
  const factsFirst = given.code === null
  if (factsFirst && !given.fresh) {
    const stopped = await stoppedByFacts(session, row)
    if (stopped !== null) return stopped
  }
  const missing = await missingBeforeSending(session, row.id, kind, given.code)
  if (missing !== null) return missing.outcome === null ? await endedByCodes(row) : viewOf(row, missing.outcome)
  return factsFirst || given.fresh ? null : await stoppedByFacts(session, row)
}

async function sendDraft(
  session: Session,
  row: CommandRow,
  code: string | null,
  detach: Detach,
): Promise<CommandReply> {
  const kind = kindOf(row)
  const params = paramsOf(row)
  const started = await whileSending(row.id, async () => {
    const start = await startCommand(await store(), row.id, kind.locks(params, session))
    return start.ok
      ? await sendDetached(session, start.command, { again: false, code: readCode(code) ?? '' }, detach)
      : { heldBy: start.heldBy }
  })
  if (!('heldBy' in started)) return started
  if (started.heldBy === null) {
    const now = await findCommand(await store(), row.id)
    return now === undefined ? notFound : { ok: true, command: viewOf(now) }
  }
  return {
    ok: true,
    command: await endUnsent(row, {
      class: 'refused',
      sent: false,
      title: Object.values(heldFault(kind, params, started.heldBy)).join(' '),
      advice: 'Nothing was sent. Look at what came of the other one first.',
      problem: null,
    }),
  }
}
