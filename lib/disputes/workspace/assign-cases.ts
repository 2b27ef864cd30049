import 'server-only'
import { randomUUID } from 'node:crypto'
import pLimit from 'p-limit'
import { refusalProblem, refusedFrom } from '#lib/authorization/judge.ts'
import type { AnyRecordCommand } from '#lib/commands/kind.ts'
import { recordAtOnce, recordRefusal, wroteNothing } from '#lib/commands/record.ts'
import { missingBeforeSending } from '#lib/commands/step-up.ts'
import { errorName, log } from '#lib/config/log.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { QueueFilter } from '#lib/disputes/queue/queue.ts'
import { nextUnassigned } from '#lib/disputes/queue/queue-view.ts'
import { noneWords } from '#lib/disputes/queue/words.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { caseAssign, caseReassign, caseReassignToMe, caseUnassign } from './case-assignment.ts'
import { findCandidate, readCaseForWork, readMyself } from './case-people.ts'
import type { CaseAssigned, NewAssignee, NextAssigned } from './workspace.ts'
import { claimOf } from './workspace-tables.ts'

const AT_ONCE = 4

/** Null on success. */
type End = Pick<CaseAssigned, 'end' | 'why'> | null

const notDone = (why: string): End => ({ end: 'not-done', why })
const NOT_KNOWN: End = { end: 'not-known', why: 'The outcome is not known. Check the case.' }

/** As on the case's page. Takes cases from one other assignee only: `from`, whom a dialog has named. */
export async function assignCases(
  session: Session,
  caseIds: readonly string[],
  to: NewAssignee,
  from: string | null = null,
): Promise<readonly CaseAssigned[]> {
  const batch = randomUUID()
  return await pLimit(AT_ONCE).map(caseIds, async (caseId) => {
    const act = new Act(session, caseId, batch)
    return { caseId, ...((await assigned(act, to, from)) ?? { end: 'done', why: '' }) }
  })
}

export async function refusedToTakeOver(session: Session): Promise<Problem | null> {
  const refusal = await refusedFrom(session, 'assignable.write')
  if (refusal !== null) {
    await recordRefusal(session, caseReassignToMe.kind, refusal)
    return refusalProblem(refusal)
  }
  const missing = await missingBeforeSending(session, randomUUID(), caseReassignToMe, null)
  if (missing === null) return null
  const title = missing.outcome?.need === 'code' ? CODE_FIRST : (missing.outcome?.title ?? CODE_FIRST)
  return problemOf('service', { status: 403, title })
}

const CODE_FIRST = 'This needs a code. Reassign one of these cases to yourself on its page, then try again'

async function assigned(act: Act, to: NewAssignee, from: string | null): Promise<End> {
  try {
    if (from !== null) return await takeOver(act, from, to)
    if (to === 'none') return await act.make(caseUnassign)
    const isMine = await act.isMine()
    if (to === 'me') return isMine ? null : await act.make(caseAssign)
    return isMine ? await act.make(caseReassign, reassigned(to)) : await giveOn(act, to)
  } catch (error) {
    log().error({ event: 'assign-cases', error: errorName(error) })
    return NOT_KNOWN
  }
}

type Colleague = Exclude<NewAssignee, string>

const reassigned = ({ person, note }: Colleague) => ({ to: person, note })

/** Assigns the case to the person first, because only an assignee can reassign it. */
async function giveOn(act: Act, to: Colleague): Promise<End> {
  const why = await act.whyNotFor(to.person)
  if (why !== null) return notDone(why)
  return (await act.make(caseAssign)) ?? afterMine(await act.make(caseReassign, reassigned(to)))
}

const afterMine = (second: End): End =>
  second === null ? null : { ...second, why: `It is assigned to you, but was not reassigned. ${second.why}` }

async function takeOver(act: Act, from: string, to: NewAssignee): Promise<End> {
  const why = typeof to === 'string' ? null : await act.whyNotFor(to.person)
  if (why !== null) return notDone(why)
  const first = await act.make(caseReassignToMe, { from }, 'changed')
  if (first !== null || to === 'me') return first
  return afterMine(await (to === 'none' ? act.make(caseUnassign) : act.make(caseReassign, reassigned(to))))
}

class Act {
  readonly #session: Session
  readonly #caseId: string
  readonly #batch: string

  constructor(session: Session, caseId: string, batch: string) {
    this.#session = session
    this.#caseId = caseId
    this.#batch = batch
  }

  async isMine(): Promise<boolean> {
    return (await claimOf(await store(), this.#caseId))?.holder === this.#session.actor
  }

  async whyNotFor(person: string): Promise<string | null> {
    const found = await readCaseForWork(this.#session, this.#caseId)
    if (!found.ok) return refusalWords(found.problem)
    return (await findCandidate(this.#session, found.value, person)) !== null
      ? null
      : 'This person cannot be the assignee: a party to the case, or no longer known here.'
  }

  /** `faulty`: the end if the case is not as expected. */
  async make(kind: AnyRecordCommand, more: object = {}, faulty: 'changed' | 'not-done' = 'not-done'): Promise<End> {
    const params = { caseId: this.#caseId, ...more }
    const reply = await recordAtOnce(this.#session, kind, params, { batch: this.#batch }).catch((error: unknown) => {
      if (wroteNothing(error)) return null
      throw error
    })
    if (reply === null) return notDone('The console’s database cannot be read.')
    if ('fields' in reply && reply.problem === null) return { end: faulty, why: Object.values(reply.fields).join(' ') }
    if (!reply.ok) return notDone(reply.problem === null ? '' : refusalWords(reply.problem))
    const { outcome } = reply.command
    if (outcome.class === 'done') return null
    if (outcome.class !== 'refused') return NOT_KNOWN
    return { end: outcome.limit ? 'not-done' : faulty, why: `${outcome.title}.` }
  }
}

const refusalWords = (problem: Problem): string => `${problemWords(problem).title}.`

/** As {@link caseAssign}, with the reason for the choice. Reads the case again, so that the index forgets resolved ones. */
const assignAsNext = (caseId: string, chosen: string): AnyRecordCommand => ({
  ...caseAssign,
  async readFacts(session) {
    const found = await readCaseForWork(session, caseId)
    return found.ok ? { ...found, value: { status: found.value.status, chosen } } : found
  },
})

/** `isConfirmed`: also to a person who is away. Takes the next case if a colleague was faster. `session-over`: by the service. */
export async function assignNext(
  session: Session,
  filter: QueueFilter,
  isConfirmed = false,
): Promise<NextAssigned | 'session-over'> {
  const awayUntil = isConfirmed ? null : (await readMyself(session)).awayUntil
  if (awayUntil !== null) return { awayUntil }
  const { cases, none } = await nextUnassigned(session, filter)
  if (none !== null) return none.index.problem?.kind === 'session-over' ? 'session-over' : { why: noneWords(none) }
  for (const { id: caseId, chosen } of cases) {
    const reply = await recordAtOnce(session, assignAsNext(caseId, chosen), { caseId }).catch((error: unknown) => {
      if (wroteNothing(error)) throw error
      return null
    })
    if (reply === null) return { why: 'It is not known whether a case was assigned to you. Check your cases.' }
    if (reply.ok && reply.command.outcome.class === 'done') return { caseId, chosen }
    if (!reply.ok && reply.problem !== null && reply.problem.status !== 404)
      return { why: `${refusalWords(reply.problem)} No case was assigned.` }
  }
  return { why: 'Others took these cases first. No case was assigned; try again.' }
}

/** Assigns an unassigned case to the person who acted in it, if they may have it. Throws if the store is down. */
export async function assignToAuthor(session: Session, caseId: string): Promise<void> {
  if ((await claimOf(await store(), caseId)) !== null) return
  await recordAtOnce(session, caseAssign, { caseId })
}
