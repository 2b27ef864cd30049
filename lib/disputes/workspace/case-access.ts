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

/** The actors of a case's parties: nothing that the console knows of it is for them. */
export const partyActors = (found: DisputeCase): readonly string[] => partiesOf(found).map((party) => `sso:${party}`)

/**
 * The case as the service gives it, for somebody who may see what the console itself keeps on it: claims and internal
 * notes. The service cannot guard these, so it takes the scopes of the table, known for certain, and its parties are told
 * apart here, who see the case like staff does and hold one of these scopes.
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

/** Whether somebody works on cases at all. */
export const mayWorkOnCases = (session: Session): Promise<boolean> => permits(session, 'caseWorkspace.write')

/** {@link readCaseAsStaff} for a change. */
export async function readCaseForWork(session: Session, caseId: string): Promise<Result<DisputeCase>> {
  const refusal = await refusedFrom(session, 'caseWorkspace.write')
  return refusal === null ? await readCaseAsStaff(session, caseId) : { ok: false, problem: refusalProblem(refusal) }
}
