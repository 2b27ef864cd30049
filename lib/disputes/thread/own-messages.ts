import 'server-only'
import type { CommandView } from '#lib/commands/command.ts'
import { findOpenOf } from '#lib/commands/command-lists.ts'
import { paramsOf, viewOf } from '#lib/commands/view.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'

/** A message of one's own whose end is not known, with its text. */
export interface OwnMessage {
  readonly command: CommandView
  readonly body: string
}

/** What this person posted in a case and nobody knows the end of, the oldest first. */
export async function openMessages(session: Session, caseId: string): Promise<OwnMessage[]> {
  const rows = await findOpenOf(await store(), session.actor, 'dispute.message', caseId)
  return rows.map((row) => ({
    command: { ...viewOf(row), yours: true },
    body: (paramsOf(row) as { readonly body: string }).body,
  }))
}
