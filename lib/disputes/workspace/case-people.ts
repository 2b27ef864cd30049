import 'server-only'
import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import { permits, refusalProblem, refusedFrom } from '#lib/authorization/judge.ts'
import { isPartyIn } from '#lib/commands/hidden-from-parties.ts'
import type { ConsoleRefusal } from '#lib/commands/kind.ts'
import { config } from '#lib/config/config.ts'
import { log } from '#lib/config/log.ts'
import { boundedCache, perProcess } from '#lib/config/per-process.ts'
import type { DisputeCase } from '#lib/contract/disputes.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { readCase } from '#lib/disputes/dispute-service.ts'
import { indexCases, partiesOf } from '#lib/disputes/queue/case-index.ts'
import { isUnreadBy } from '#lib/disputes/queue/case-index-query.ts'
import { overTargetKey } from '#lib/disputes/queue/decision-target.ts'
import type { Result } from '#lib/service/client.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { absences, isAway } from './absence.ts'
import { endWatches } from './case-notices.ts'
import { type Colleague, closedAdvice, closedTitle, type People, type Person, type StaffMember } from './workspace.ts'
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

/** People not seen for this long are not offered, unless they are away. */
const KNOWN_MS = 14 * 86_400_000
const isOffered = () =>
  sql<boolean>`(known_at > ${new Date(Date.now() - KNOWN_MS).toISOString()} OR absence.until IS NOT NULL)`
const NOTED_MS = 600_000
const NOTED_MAX = 1_000

/** The person who asks. */
export async function readMyself({ actor, displayName: name }: Session): Promise<StaffMember> {
  return { actor, name, awayUntil: (await absences(await store())).get(actor) ?? null }
}

/** People seen here with the scope to decide cases, without the one who asks. */
export const colleaguesOf = async (session: Session): Promise<readonly Colleague[]> =>
  (await listCandidates(await store(), session)).filter(({ actor }) => actor !== session.actor)

export async function listPeople(session: Session): Promise<People> {
  const db = await store()
  const [all, setsAbsences] = await Promise.all([listCandidates(db, session), permits(session, 'othersAbsence.write')])
  const isMe = ({ actor }: Person) => actor === session.actor
  const me = all.find(isMe) ?? (await readMyself(session))
  return { people: all.filter((person) => !isMe(person)), me, setsAbsences }
}

export async function peopleFor(session: Session, found: DisputeCase): Promise<readonly Colleague[]> {
  const parties = partyActors(found)
  return (await colleaguesOf(session)).filter(({ actor }) => !parties.includes(actor.toLowerCase()))
}

/** Null if this person is not known here, a party, or the one who asks. */
export const findCandidate = async (session: Session, found: DisputeCase, actor: string): Promise<Person | null> =>
  (await findCandidates(session, found, [actor]))[0] ?? null

export async function findCandidates(
  session: Session,
  found: DisputeCase,
  actors: readonly string[],
): Promise<readonly Person[]> {
  const excluded = [session.actor, ...partyActors(found)]
  const others = actors.filter((actor) => !excluded.includes(actor) && !excluded.includes(actor.toLowerCase()))
  if (others.length === 0) return []
  const offered = (await store())
    .selectFrom('case_candidate as candidate')
    .leftJoin('absence', (join) => join.onRef('absence.actor', '=', 'candidate.actor').on(isAway()))
    .where(isOffered())
    .where('candidate.actor', '=', sql<string>`ANY(${others}::text[])`)
  return await offered.select(['candidate.actor', 'name']).orderBy('name').orderBy('candidate.actor').execute()
}

/** Other people's scopes cannot be read reliably, so each person's session records them. Never throws. */
export async function recordCandidate(session: Session): Promise<void> {
  const noted = perProcess('candidates', () => boundedCache<true>(NOTED_MAX, NOTED_MS))
  if (noted.has(session.id)) return
  noted.set(session.id, true)
  const refusal = await refusedFrom(session, 'assignable.write')
  if (refusal?.known === false) return void noted.delete(session.id)
  try {
    const { actor, displayName: name } = session
    if (refusal === null) await putCandidate(await store(), { actor, name })
    else await dropCandidate(await store(), actor)
    if ((await refusedFrom(session, 'caseWorkspace.read'))?.known) await endWatches(actor, NO_SCOPE)
  } catch {
    noted.delete(session.id)
    log().warn({ event: 'case-candidate' }, 'the list of possible assignees could not be saved')
  }
}

const PEOPLE_MAX = 100
export const NO_SCOPE = 'the person may no longer see disputes'

async function putCandidate(db: Kysely<Tables>, { actor, name }: Person): Promise<void> {
  const known_at = new Date().toISOString()
  await db
    .insertInto('case_candidate')
    .values({ actor, name, known_at })
    .onConflict((conflict) => conflict.column('actor').doUpdateSet({ name, known_at }))
    .execute()
}

async function dropCandidate(db: Kysely<Tables>, actor: string): Promise<void> {
  await db.deleteFrom('case_candidate').where('actor', '=', actor).execute()
}

/** Counts no case in which the reader is a party. */
async function listCandidates(db: Kysely<Tables>, { actor, userId }: Session): Promise<readonly Colleague[]> {
  const unread = isUnreadBy(sql`lower(substr(holder, 5))`, sql`true`)
  const { rows } = await sql<Colleague>`
    SELECT candidate.actor, name, absence.until AS "awayUntil", coalesce(cases, 0) AS cases, coalesce(over_target, 0) AS "overTarget",
      CASE WHEN holder IS NULL THEN 0 ELSE unread END AS unread
    FROM case_candidate AS candidate LEFT JOIN absence ON absence.actor = candidate.actor AND ${isAway()} LEFT JOIN (
      SELECT holder, count(*) AS cases, count(*) FILTER (WHERE created_key <= ${overTargetKey(Date.now())}) AS over_target,
        CASE WHEN bool_and(coalesce(case_thread.read_at > 0, false)) THEN count(*) FILTER (WHERE ${unread}) END AS unread
      FROM case_claim JOIN case_index ON id_key = case_claim.case_id
        LEFT JOIN case_thread ON case_thread.case_id = id_key
        LEFT JOIN case_reader ON case_reader.case_id = id_key AND case_reader.actor = holder
      WHERE status = 'OPEN' AND NOT ${isPartyIn(userId)} GROUP BY holder) AS load ON holder = candidate.actor
    WHERE ${isOffered()}
    ORDER BY candidate.actor = ${actor} DESC, name, candidate.actor LIMIT ${PEOPLE_MAX}`.execute(db)
  return rows
}

const id = z.guid()

const partyActors = (found: DisputeCase): readonly string[] => partiesOf(found).map((party) => `sso:${party}`)

/** Guards claims and notes. Requires the scopes and refuses the case's parties, who may hold the same scopes. */
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

const PARTY = 'You’re a party to this case. Assignee and notes are hidden'

const refused = (title: string): Result<never> => ({ ok: false, problem: problemOf('service', { status: 403, title }) })

export const mayWorkOnCases = (session: Session): Promise<boolean> => permits(session, 'caseWorkspace.write')

/** Also requires the scope to change. */
export async function readCaseForWork(session: Session, caseId: string): Promise<Result<DisputeCase>> {
  const refusal = await refusedFrom(session, 'caseWorkspace.write')
  if (refusal !== null) return { ok: false, problem: refusalProblem(refusal) }
  const readAt = new Date().toISOString()
  const found = await readCaseAsStaff(session, caseId)
  // The journal hides changes from parties by this index.
  if (found.ok) await indexCases(await store(), [found.value], readAt)
  return found
}
