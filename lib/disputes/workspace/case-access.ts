import 'server-only'
import { z } from 'zod'
import { permits, refusalProblem, refusedFrom } from '#lib/authorization/judge.ts'
import type { DisputeCase } from '#lib/contract/disputes.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { readCase } from '#lib/disputes/dispute-service.ts'
import type { Result } from '#lib/service/answer.ts'
import type { Session } from '#lib/session/session.ts'

const id = z.guid()

const partiesOf = ({ raisedByUserId, counterpartyUserId }: DisputeCase): readonly string[] => [
  raisedByUserId.toLowerCase(),
  counterpartyUserId.toLowerCase(),
]

export const partyActors = (found: DisputeCase): readonly string[] => partiesOf(found).map((party) => `sso:${party}`)

/**
 * Guards claims and notes, which the service cannot protect. Requires the scopes and refuses the case's parties, who
 * may hold the same scopes.
 */
export async function readCaseAsStaff(session: Session, caseId: string): Promise<Result<DisputeCase>> {
  const refusal = await refusedFrom(session, 'caseWorkspace.read')
  if (refusal !== null) return { ok: false, problem: refusalProblem(refusal) }
  if (!id.safeParse(caseId).success) return { ok: false, problem: problemOf('service', { status: 404 }) }
  const found = await readCase(session, caseId)
  if (!found.ok) return found
  return isPartyOf(found.value, session) ? refused(PARTY) : found
}

export const isPartyOf = (found: DisputeCase, { userId }: Session): boolean =>
  partiesOf(found).includes(userId.toLowerCase())

const PARTY = 'You are a party of this case: claims and internal notes are not for its parties'

const refused = (title: string): Result<never> => ({ ok: false, problem: problemOf('service', { status: 403, title }) })

export const mayWorkOnCases = (session: Session): Promise<boolean> => permits(session, 'caseWorkspace.write')

/** Also requires the scope to change. */
export async function readCaseForWork(session: Session, caseId: string): Promise<Result<DisputeCase>> {
  const refusal = await refusedFrom(session, 'caseWorkspace.write')
  return refusal === null ? await readCaseAsStaff(session, caseId) : { ok: false, problem: refusalProblem(refusal) }
}
