import 'server-only'
import { recordAtOnce } from '#lib/commands/record.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { caseAssign } from './case-assign.ts'
import { claimOf } from './claim-table.ts'

/** Assigns an unassigned case to the person who acted in it, if they may have it. Throws if the store is down. */
export async function assignToAuthor(session: Session, caseId: string): Promise<void> {
  if ((await claimOf(await store(), caseId)) !== null) return
  await recordAtOnce(session, caseAssign, { caseId })
}
