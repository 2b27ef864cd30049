import 'server-only'
import { z } from 'zod'
import type { DisputeCase } from '#lib/contract/disputes.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { PAGE_SIZE_MAX } from '#lib/contract/wire.ts'
import type { Result } from '#lib/core-api/answer.ts'
import { listCases, readCase } from '#lib/core-api/disputes.ts'
import { may, readAccess } from '#lib/core-api/scopes.ts'
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
 * notes. The service cannot guard these, so its parties are told apart here, who see the case like staff does.
 */
export async function readCaseAsStaff(session: Session, caseId: string): Promise<Result<DisputeCase>> {
  if (!id.safeParse(caseId).success) return { ok: false, problem: problemOf('service', { status: 404 }) }
  const found = await readCase(session, caseId)
  if (!found.ok) return found
  const { userId } = session
  if (userId === null) return await ifStaff(session, found)
  return partiesOf(found.value).includes(userId.toLowerCase()) ? refused(PARTY) : found
}

const PARTY = 'Claims and internal notes are not for a party of the case'
const PERHAPS_A_PARTY = 'After sign-in with a password it cannot be told that you are no party of the case'

const refused = (title: string): Result<never> => ({ ok: false, problem: problemOf('service', { status: 403, title }) })

/**
 * After password sign-in it is not known who somebody is at the service. Whoever is no admin sees their own cases only, and
 * is a party of each: when no one person is a party of all the cases on a page, this is an admin.
 */
async function ifStaff(session: Session, found: Result<DisputeCase>): Promise<Result<DisputeCase>> {
  const listed = await listCases(session, { all: true, status: null, page: 1, pageSize: PAGE_SIZE_MAX })
  if (!listed.ok) return listed
  const cases = listed.value.cases.flatMap((row) => (row.readable ? [partiesOf(row.value)] : []))
  const [first = [], ...others] = cases
  const inAll = first.filter((party) => others.every((parties) => parties.includes(party)))
  return cases.length > 0 && inAll.length === 0 ? found : refused(PERHAPS_A_PARTY)
}

const WORK_SCOPES = ['core:disputes:resolve', 'core:disputes:message'] as const

/** Whether somebody works on cases at all; true where their scopes are not known. */
export async function mayWorkOnCases(session: Session): Promise<boolean> {
  const access = await readAccess(session)
  return WORK_SCOPES.some((scope) => may(access, scope))
}

/** {@link readCaseAsStaff} for a change: also refused where the scopes for it are missing. */
export async function readCaseForWork(session: Session, caseId: string): Promise<Result<DisputeCase>> {
  if (await mayWorkOnCases(session)) return await readCaseAsStaff(session, caseId)
  return { ok: false, problem: problemOf('service', { status: 403, scope: WORK_SCOPES[0] }) }
}
