import 'server-only'
import type { CommandReply, Outcome } from '#lib/domain/command.ts'
import type { Session } from '#lib/session/session.ts'
import { type CommandRow, findCommand, moveCommand } from '#lib/store/commands.ts'
import { store } from '#lib/store/store.ts'
import { kindOf, paramsOf, viewOf } from './view.ts'

/**
 * What is known of a command now. One whose end is not known is looked up at the service first: settled by reading,
 * never by sending again. Null when there is no such command.
 */
export async function lookAtCommand(session: Session, id: string): Promise<CommandReply | null> {
  const row = await findCommand(await store(), id)
  if (row === undefined) return null
  const open = row.state === 'unknown' || row.state === 'accepted'
  return { ok: true, command: viewOf(open ? await settle(session, row) : row) }
}

/** An answer that was lost can still be on its way; after this long, no effect means it did not happen. */
const NO_EFFECT_AFTER_MS = 120_000

async function settle(session: Session, row: CommandRow): Promise<CommandRow> {
  const look = await kindOf(row).look(session, paramsOf(row))
  if (!('settled' in look)) return row
  if (look.settled) return await moveTo(row, 'applied', { class: 'done', ...look.told })
  const waited = Date.now() - Date.parse(row.sent_at ?? row.created_at)
  if (row.state !== 'unknown' || !look.showsNoEffect || waited < NO_EFFECT_AFTER_MS) return row
  return await moveTo(row, 'not_applied', {
    class: 'refused',
    sent: true,
    title: 'It did not happen',
    advice: 'The service shows no effect two minutes after it was sent. It may be confirmed anew.',
    problem: null,
  })
}

async function moveTo(row: CommandRow, to: 'applied' | 'not_applied', outcome: Outcome): Promise<CommandRow> {
  const move = {
    from: ['unknown', 'accepted'],
    to,
    outcome: JSON.stringify(outcome),
    note: { answer: 'read' },
  } as const
  const settled = await moveCommand(await store(), row.id, move)
  return settled ?? (await findCommand(await store(), row.id)) ?? row
}
