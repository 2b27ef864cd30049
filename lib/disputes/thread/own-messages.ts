import 'server-only'
import type { CommandView } from '#lib/commands/command.ts'
import { findOpenOf } from '#lib/commands/queries.ts'
import { paramsOf } from '#lib/commands/row.ts'
import { viewOf } from '#lib/commands/view.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'

/** A message with an unknown outcome. */
export interface OwnMessage {
  readonly command: CommandView
  readonly body: string
}

export async function openMessages(session: Session, caseId: string): Promise<OwnMessage[]> {
  const rows = await findOpenOf(await store(), session.actor, 'dispute.message', caseId)
  return rows.map((row) => ({
    command: { ...viewOf(row), yours: true },
    body: (paramsOf(row) as { readonly body: string }).body,
  }))
}
