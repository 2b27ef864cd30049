import 'server-only'
import type { CommandReply, CommandView } from '#lib/domain/command.ts'
import type { Session } from '#lib/session/session.ts'
import { grantOf } from '#lib/session/step-up-grants.ts'
import { type CommandRow, findCommand, moveCommand } from '#lib/store/commands.ts'
import { store } from '#lib/store/store.ts'
import { notFound } from './not-found.ts'
import { whileSending } from './running-sends.ts'
import { type Detach, sendDetached } from './send-detached.ts'
import { verify, wantedNow } from './step-up.ts'
import { endedByCodes, stoppedByFacts } from './stopped.ts'
import { viewOf } from './view.ts'

/**
 * Goes on with a command that the service refused for want of a second factor: takes a code, reads the facts once more
 * and repeats the same command, once (interface.md, "Step-up verification"). While a grant lives, one that another change
 * brought for example, no code is asked for and none is spent.
 */
export async function answerChallenge(
  session: Session,
  row: CommandRow,
  code: string | null,
  detach: Detach,
): Promise<CommandReply> {
  const waiting = await stillWaiting(session, row, code)
  if (waiting !== null) return { ok: true, command: waiting }
  const db = await store()
  const reply = await whileSending(row.id, async () => {
    const sent = await moveCommand(db, row.id, { from: ['challenged'], to: 'sent', note: { again: true } })
    return sent === null ? null : await sendDetached(session, sent, { again: true, code: '' }, detach)
  })
  if (reply !== null) return reply
  const now = await findCommand(db, row.id)
  return now === undefined ? notFound : { ok: true, command: viewOf(now) }
}

/** What the command still waits for, or why it ended; null when it may go out. */
async function stillWaiting(session: Session, row: CommandRow, code: string | null): Promise<CommandView | null> {
  if (grantOf(session.id) === null) {
    if (code === null) return viewOf(row, await wantedNow(session, row.id))
    const verified = await verify(session, row.id, code)
    if (!verified.ok) return verified.outcome === null ? await endedByCodes(row) : viewOf(row, verified.outcome)
  }
  const stopped = await stoppedByFacts(session, row)
  if (stopped !== null) return stopped
  // The reading may have outlasted a grant that was old already; without one the repeat would be in vain.
  return grantOf(session.id) === null ? viewOf(row, await wantedNow(session, row.id)) : null
}
