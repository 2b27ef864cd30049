import 'server-only'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { Line } from '#lib/commands/command.ts'
import {
  type ConsoleRefusal,
  type Description,
  type FieldFaults,
  faultsOf,
  type RecordAct,
  type RecordCommand,
  recordCommand,
} from '#lib/commands/kind.ts'
import { caseStateWords } from '#lib/disputes/case-state.ts'
import type { Result } from '#lib/service/client.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import { shortId } from '#lib/values/ids.ts'
import { timeInText } from '#lib/values/time.ts'
import { recordHolderSeen } from './case-notices.ts'
import { findCandidate, readCaseForWork } from './case-people.ts'
import { caseNoteFault, casePlace, type Person } from './workspace.ts'
import { addNote, claimOf, dropClaim, eraseNote, putClaim } from './workspace-tables.ts'

export const caseId = z.guid().toLowerCase()

export type ClaimFacts = Readonly<Record<'holder' | 'holderName' | 'since', string>>

const NOBODY: ClaimFacts = { holder: '', holderName: '', since: '' }

async function claimFacts(db: Kysely<Tables>, id: string): Promise<ClaimFacts> {
  const { holder, holderName, since } = (await claimOf(db, id)) ?? NOBODY
  return { holder, holderName, since }
}

export const claimLines = ({ holder, holderName, since }: ClaimFacts): Line[] =>
  holder === ''
    ? [textLine('Assignee', 'none')]
    : [textLine('Assignee', holderName), { label: 'Since', value: since, as: 'time' }]

export const textLine = (label: string, value: string): Line => ({ label, value, as: 'text' })

export const caseLine = (id: string): Line => ({ label: 'Case', value: id, as: 'id' })

export const caseWords = (id: string): string => `case ${shortId(id)}`

const assigneeWords = ({ holder, holderName, since }: ClaimFacts): string =>
  holder === '' ? 'This case is unassigned' : `Assigned to ${holderName} at ${timeInText(since)}`

export const unlessAssignedTo = (holder: string, facts: ClaimFacts): FieldFaults =>
  faultsOf({ caseId: facts.holder === holder ? null : `${assigneeWords(facts)}. Check it again.` })

/** Checks again under the lock. `holder`: the expected assignee; empty for unassigned. */
async function unlessStillAssignedTo(holder: string, trx: Trx, id: string): Promise<ConsoleRefusal | null> {
  const facts = await claimFacts(trx, id)
  if (facts.holder === holder) return null
  return { title: assigneeWords(facts), advice: 'Nothing was changed. Someone else changed it first.' }
}

interface OfCase {
  readonly caseId: string
}

const assignToActor = (trx: Trx, act: RecordAct<OfCase, unknown>): Promise<void> =>
  assignTo(trx, act, { actor: act.actor, name: act.actorName })

/** The author has seen the change. */
async function assignTo(
  trx: Trx,
  { commandId, actor, params: input }: RecordAct<OfCase, unknown>,
  to: Person,
): Promise<void> {
  const since = new Date().toISOString()
  await putClaim(trx, { caseId: input.caseId, holder: to.actor, holderName: to.name, since }, commandId)
  await recordHolderSeen(trx, { actor, caseId: input.caseId }, to.actor)
}

export const openFault = (status: string): string | null =>
  status === 'OPEN' ? null : `This case is ${caseStateWords(status).word}. Only an open case can be assigned.`

export const statusLine = (status: string): Line => ({ label: 'State', value: status, as: 'case-state' })

export const described = (...lines: readonly Line[]): Description => ({ steps: [], lines })

/** The parts that most changes of a case's records share. */
export const caseRecord = {
  place: casePlace,
  target: (input: OfCase) => input.caseId,
  locks: (input: OfCase) => [{ key: `case-claim:${input.caseId}`, permanent: false }],
  describeLockConflict: () => ({ field: 'caseId', what: 'The assignee is being changed' }),
  affectedBy: ['case.assign', 'case.reassign-to-me', 'case.reassign', 'case.unassign', 'dispute.resolve'],
  summary: (input: OfCase): Line[] => [caseLine(input.caseId)],
  describeSuccess: (input: OfCase) => described(caseLine(input.caseId)),
} as const satisfies Partial<RecordCommand<OfCase, ClaimFacts>>

/** Only the assignee may make the change; checked again under the lock. */
export const assigneeRecord = {
  ...caseRecord,
  params: z.strictObject({ caseId }),
  immediate: true,
  async readFacts(session: Session, input: OfCase): Promise<Result<ClaimFacts>> {
    const found = await readCaseForWork(session, input.caseId)
    return found.ok ? { ...found, value: await claimFacts(await store(), input.caseId) } : found
  },
  checkFacts: (_params: OfCase, facts: ClaimFacts, { actor }: Session) => unlessAssignedTo(actor, facts),
  factLines: claimLines,
  checkUnderLock: (trx: Trx, { actor, params: input }: Pick<RecordAct<OfCase, unknown>, 'actor' | 'params'>) =>
    unlessStillAssignedTo(actor, trx, input.caseId),
} as const

export type OpenClaimFacts = Readonly<Record<keyof ClaimFacts | 'status', string>>

export async function readOpenClaim(session: Session, id: string): Promise<Result<OpenClaimFacts>> {
  const found = await readCaseForWork(session, id)
  if (!found.ok) return found
  return { ...found, value: { status: found.value.status, ...(await claimFacts(await store(), id)) } }
}

/** Checks the assignee under the lock, so that one of two concurrent requests wins. */
export const caseAssign = recordCommand<OfCase, { readonly status: string; readonly chosen: string }>({
  ...caseRecord,
  kind: 'case.assign',
  params: z.strictObject({ caseId }),
  immediate: true,
  async readFacts(session, input) {
    const found = await readCaseForWork(session, input.caseId)
    return found.ok ? { ...found, value: { status: found.value.status, chosen: '' } } : found
  },
  checkFacts: (_params, { status }) => faultsOf({ caseId: openFault(status) }),
  title: (input) => `Assign ${caseWords(input.caseId)} to me`,
  summary: (input, { chosen }) => [caseLine(input.caseId), ...(chosen ? [textLine('Chosen', chosen)] : [])],
  factLines: ({ status }) => [statusLine(status)],
  consequence: () => 'Your colleagues see you as the assignee.',
  checkUnderLock: (trx, { params: input }) => unlessStillAssignedTo('', trx, input.caseId),
  record: assignToActor,
})

/** Also for a resolved case. */
export const caseUnassign = recordCommand<OfCase, ClaimFacts>({
  ...assigneeRecord,
  kind: 'case.unassign',
  title: (input) => `Unassign ${caseWords(input.caseId)}`,
  summary: (input, facts) => [caseLine(input.caseId), ...claimLines(facts)],
  consequence: () => 'Anyone can be assigned.',
  async record(trx, { actor, params: input }) {
    await dropClaim(trx, input.caseId)
    await recordHolderSeen(trx, { actor, caseId: input.caseId }, '')
  },
})

/** `from`: the assignee whom the person sees. */
const takingOver = z.strictObject({ caseId, from: z.string().min(1) })

export const caseReassignToMe = recordCommand<z.output<typeof takingOver>, OpenClaimFacts>({
  ...caseRecord,
  kind: 'case.reassign-to-me',
  params: takingOver,
  immediate: false,
  readFacts: (session, input) => readOpenClaim(session, input.caseId),
  checkFacts: ({ from }, facts, { actor }) => ({
    ...unlessAssignedTo(from, facts),
    ...faultsOf({ caseId: openFault(facts.status) ?? (from === actor ? 'You are already the assignee.' : null) }),
  }),
  title: (input, { holderName }) => `Reassign ${caseWords(input.caseId)} from ${holderName} to me`,
  summary: (input, facts) => [caseLine(input.caseId), ...claimLines(facts)],
  factLines: (facts) => [...claimLines(facts), statusLine(facts.status)],
  consequence: (_params, { holderName }) => `${holderName} may be working on it and sees the change within seconds.`,
  checkUnderLock: (trx, { params: { from, caseId: id } }) => unlessStillAssignedTo(from, trx, id),
  describeSuccess: (input, { holderName }) =>
    described(caseLine(input.caseId), textLine('Assignee before', holderName)),
  record: assignToActor,
})

const reassigning = z.strictObject({ caseId, to: z.string(), note: z.string().trim().default('') })

/** `toName`: empty if the actor is unknown here. */
type ReassignFacts = Readonly<Record<keyof OpenClaimFacts | 'toName', string>>

export const caseReassign = recordCommand<z.output<typeof reassigning>, ReassignFacts>({
  ...caseRecord,
  kind: 'case.reassign',
  eraseText: eraseNote,
  params: reassigning,
  immediate: true,
  checkParams: ({ to, note }) =>
    faultsOf({ to: to === '' ? 'Choose an assignee.' : null, note: note === '' ? null : caseNoteFault(note) }),
  async readFacts(session, { caseId: id, to }) {
    const found = await readCaseForWork(session, id)
    if (!found.ok) return found
    const person = await findCandidate(session, found.value, to)
    const { status } = found.value
    return { ...found, value: { status, toName: person?.name ?? '', ...(await claimFacts(await store(), id)) } }
  },
  checkFacts: (_params, facts, { actor }) => ({
    ...faultsOf({
      to: facts.toName === '' ? 'No colleague with that name can be the assignee. Choose someone else.' : null,
      caseId: openFault(facts.status),
    }),
    ...unlessAssignedTo(actor, facts),
  }),
  title: (input, { toName }) => `Reassign ${caseWords(input.caseId)} to ${toName}`,
  summary: (input, facts) => [caseLine(input.caseId), textLine('To', facts.toName)],
  factLines: (facts) => [...claimLines(facts), statusLine(facts.status), textLine('To', facts.toName)],
  consequence: (_params, { toName }) => `${toName} becomes the assignee and can reassign it.`,
  checkUnderLock: assigneeRecord.checkUnderLock,
  describeSuccess: (input, { toName }) => described(caseLine(input.caseId), textLine('Assignee', toName)),
  async record(trx, act) {
    const { commandId: id, actor: author, actorName: author_name, params: input } = act
    await assignTo(trx, act, { actor: input.to, name: act.facts.toName })
    const note = { id, case_id: input.caseId, author, author_name, text: input.note, at: new Date().toISOString() }
    if (input.note !== '') await addNote(trx, note)
  },
})
