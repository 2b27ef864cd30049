import 'server-only'
import type { CommandReply } from '#lib/domain/command.ts'
import type { Session } from '#lib/session/session.ts'
import { findCommand } from '#lib/store/commands.ts'
import { freeLineOf } from '#lib/store/line-changes.ts'
import { store } from '#lib/store/store.ts'
import { notFound } from './not-found.ts'
import { endUnsent } from './stopped.ts'
import { viewOf } from './view.ts'

/**
 * Takes a draft back, or a command that waits for a code, so that it can never be sent: after a cancel, or when the browser got no answer to a confirmation
 * and has to know. One that is already on its way stays, and answers what came of it.
 */
export async function withdrawCommand(session: Session, id: string): Promise<CommandReply> {
  const row = await findCommand(await store(), id)
  if (row === undefined || row.actor !== session.actor) return notFound
  if (row.state !== 'draft' && row.state !== 'challenged') return { ok: true, command: viewOf(row) }
  const command = await endUnsent(row, {
    class: 'refused',
    sent: false,
    title: 'It was taken back',
    advice: 'Nothing was changed. Start it anew if it is still wanted.',
    problem: null,
  })
  // A line of a statement whose confirmation was looked at and left is as it was before.
  if (command.outcome.class === 'refused' && !command.outcome.sent) await freeLineOf(await store(), id)
  return { ok: true, command }
}
