import 'server-only'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import type { CommandReply, Outcome } from './command.ts'
import { findCommand } from './command-table.ts'
import { endUnsent } from './preflight.ts'
import { kindNamed } from './registry.ts'
import { notFound, viewOf } from './view.ts'

const WITHDRAWABLE: ReadonlySet<string> = new Set(['draft', 'awaiting_approval', 'challenged'])

/** `unanswered`: the author's browser got no answer. `by-console`: it cannot continue. */
export type Withdrawal = 'cancelled' | 'unanswered' | 'by-console'

const withdrawnAs = (title: string): Outcome => ({
  class: 'refused',
  sent: false,
  title,
  advice: 'Nothing was changed. Start again if it is still needed.',
  problem: null,
})

const outcomes: Readonly<Record<Withdrawal, Outcome>> = {
  cancelled: { class: 'cancelled', title: 'Cancelled by its author' },
  unanswered: withdrawnAs('The confirmation got no answer and was taken back'),
  'by-console': withdrawnAs('It was taken back'),
}

/** Returns the outcome if it was already sent, so that a browser without an answer learns it. */
export async function withdrawCommand(
  session: Session,
  id: string,
  withdrawal: Withdrawal = 'cancelled',
): Promise<CommandReply> {
  const row = await findCommand(await store(), id)
  if (row === undefined || row.actor !== session.actor) return notFound
  if (!WITHDRAWABLE.has(row.state)) return { ok: true, command: viewOf(row) }
  const by = withdrawal === 'cancelled' ? { cancelled: true, by: session.actor, byName: session.displayName } : {}
  const command = await endUnsent(row, outcomes[withdrawal], by)
  const { outcome } = command
  const isWithdrawn = outcome.class === 'cancelled' || (outcome.class === 'refused' && !outcome.sent)
  if (isWithdrawn) await kindNamed(row.kind)?.onWithdrawn?.(id)
  return { ok: true, command }
}
