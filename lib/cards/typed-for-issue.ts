import 'server-only'
import { findCommand } from '#lib/commands/store.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'

/** Null unless this person made the issue. */
export async function typedForIssue(
  { actor }: Session,
  commandId: string,
): Promise<{ readonly userId: string; readonly cardType: string; readonly printedName: string } | null> {
  const row = await findCommand(await store(), commandId)
  return row?.kind === 'card.issue' && row.actor === actor ? JSON.parse(row.params) : null
}
