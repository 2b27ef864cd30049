import 'server-only'
import { permits } from '#lib/authorization/judge.ts'
import type { ConsoleRefusal } from '#lib/commands/kind.ts'
import { config } from '#lib/config/config.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { readCase } from '#lib/disputes/dispute-service.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { isPartyOf } from './case-people.ts'
import { closedAdvice, closedTitle } from './workspace.ts'
import { claimOf } from './workspace-tables.ts'

/** With `ASSIGNED_CASES=closed` only the assignee acts in an assigned case. Checked on drafting and before sending. */
export async function unlessClosedTo(
  session: Session,
  caseId: string,
  author = session.actor,
): Promise<Problem | null> {
  // An approver only reads the change.
  return author === session.actor ? await closedTo(session, caseId) : null
}

export async function refusedUnlessAssignee(
  session: Session,
  { caseId }: { readonly caseId: string },
): Promise<ConsoleRefusal | null> {
  const problem = await closedTo(session, caseId)
  return problem === null ? null : { title: problem.title ?? '', advice: closedAdvice }
}

/** Null if the person may act. Parties always may, because they do not know the assignee. */
async function closedTo(session: Session, caseId: string): Promise<Problem | null> {
  if (config().assignedCases === 'open') return null
  const claim = await claimOf(await store(), caseId)
  if (claim === null || claim.holder === session.actor) return null
  const found = await readCase(session, caseId)
  if (!found.ok) return found.problem
  if (isPartyOf(found.value, session)) return null
  const name = (await permits(session, 'caseWorkspace.read')) ? claim.holderName : 'someone else'
  return problemOf('service', { status: 403, title: `${closedTitle(name)}. ${closedAdvice}` })
}
