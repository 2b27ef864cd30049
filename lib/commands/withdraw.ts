import 'server-only'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import type { CommandReply } from './command.ts'
import { findCommand } from './command-table.ts'
import { endUnsent } from './preflight.ts'
import { kindNamed } from './registry.ts'
import { notFound, viewOf } from './view.ts'

const CAN_BE_TAKEN_BACK: ReadonlySet<string> = new Set(['draft', 'awaiting_approval', 'challenged'])

/**
 * Takes a draft back, or a command that waits for approval or a code, so that it can never be sent: after a cancel, or when the
 * browser got no answer to a confirmation and has to know. One that is already on its way stays, and answers what came of it.
 */
export async function withdrawCommand(session: Session, id: string): Promise<CommandReply> {
  const row = await findCommand(await store(), id)
  if (row === undefined || row.actor !== session.actor) return notFound
  if (!CAN_BE_TAKEN_BACK.has(row.state)) return { ok: true, command: viewOf(row) }
  const command = await endUnsent(row, {
    class: 'refused',
    sent: false,
    title: 'It was taken back',
    advice: 'Nothing was changed. Start it anew if it is still wanted.',
    problem: null,
  })
  if (command.outcome.class === 'refused' && !command.outcome.sent) await kindNamed(row.kind)?.onWithdrawn?.(id)
  return { ok: true, command }
}
