import 'server-only'
import type { CommandReply } from '#lib/domain/command.ts'
import type { Session } from '#lib/session/session.ts'
import { findCommand } from '#lib/store/commands.ts'
import { store } from '#lib/store/store.ts'
import { closeDraft } from './close-draft.ts'
import { viewOf } from './view.ts'

/**
 * Takes a draft back, so that it can never be sent: after a cancel, or when the browser got no answer to a confirmation
 * and has to know. One that is already on its way stays, and answers what came of it.
 */
export async function withdrawCommand(session: Session, id: string): Promise<CommandReply | null> {
  const row = await findCommand(await store(), id)
  if (row === undefined || row.actor !== session.actor) return null
  if (row.state !== 'draft') return { ok: true, command: viewOf(row) }
  return {
    ok: true,
    command: await closeDraft(row, {
      class: 'refused',
      sent: false,
      title: 'The confirmation did not go through',
      advice: 'Nothing was sent. Confirm it anew.',
      problem: null,
    }),
  }
}
