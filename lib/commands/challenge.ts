import 'server-only'
import type { CommandReply, CommandView, StepUpOutcome } from '#lib/domain/command.ts'
import type { Session } from '#lib/session/session.ts'
import { grantOf, verifiedUntil } from '#lib/session/step-up-grants.ts'
import { type CommandRow, findCommand, moveCommand } from '#lib/store/commands.ts'
import { store } from '#lib/store/store.ts'
import { notFound } from './not-found.ts'
import { type Detach, sendDetached } from './send-detached.ts'
import { stillWanted, verify } from './step-up.ts'
import { endedByCodes, stoppedByFacts } from './stopped.ts'
import { viewOf } from './view.ts'

/**
 * Goes on with a command that the service refused for want of a second factor: takes a code, reads the facts once more
 * and repeats the same command, once (interface.md, "Step-up verification"). Without a code, and without a grant that
 * another change brought meanwhile, answers what is wanted.
 */
export async function answerChallenge(
  session: Session,
  row: CommandRow,
  code: string | null,
  detach: Detach,
): Promise<CommandReply> {
  const unverified = await verifyFirst(session, row, code)
  if (unverified !== null) return { ok: true, command: unverified }
  const stopped = await stoppedByFacts(session, row)
  const verified = { verifiedUntil: verifiedUntil(session.id) }
  if (stopped !== null) return { ok: true, command: stopped, ...verified }
  const db = await store()
  const sent = await moveCommand(db, row.id, { from: ['challenged'], to: 'sent', note: { again: true } })
  if (sent !== null) return { ...(await sendDetached(session, sent, { again: true, code: '' }, detach)), ...verified }
  const now = await findCommand(db, row.id)
  return now === undefined ? notFound : { ok: true, command: viewOf(now), ...verified }
}

/** Null when there is a live grant in the end. */
async function verifyFirst(session: Session, row: CommandRow, code: string | null): Promise<CommandView | null> {
  const stored = JSON.parse(row.outcome ?? '{}') as StepUpOutcome
  if (code === null) return grantOf(session.id) === null ? viewOf(row, await stillWanted(session, stored)) : null
  const verified = await verify(session, row.id, code)
  if (verified.ok) return null
  return verified.outcome === null ? await endedByCodes(row) : viewOf(row, verified.outcome)
}
