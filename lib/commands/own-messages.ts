import 'server-only'
import type { CommandView } from '#lib/domain/command.ts'
import type { Session } from '#lib/session/session.ts'
import { findOpenOf } from '#lib/store/command-lists.ts'
import { store } from '#lib/store/store.ts'
import { paramsOf, viewOf } from './view.ts'

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
