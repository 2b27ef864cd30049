import 'server-only'
import { executeCommand } from '#lib/commands/execute.ts'
import type { AnyKind } from '#lib/commands/kind.ts'
import { draftCommand, withdrawCommand } from '#lib/commands/prepare.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { caseAssign } from './case-assign.ts'
import { claimOf } from './claim-table.ts'

/** Assigns an unassigned case to the person who acted in it, if they may have it. Throws if the store is down. */
export async function assignToAuthor(session: Session, caseId: string): Promise<void> {
  if ((await claimOf(await store(), caseId)) !== null) return
  const drafted = await draftCommand(session, caseAssign as AnyKind, { caseId })
  if (!drafted.ok) return
  const { id } = drafted.draft
  const reply = await executeCommand(session, id, { code: null, proof: null, fresh: true }, () => {})
  // This path never prompts for a code.
  if (reply.ok && reply.command.outcome.class !== 'done') await withdrawCommand(session, id, 'by-console')
}
