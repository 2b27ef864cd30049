import 'server-only'
import { z } from 'zod'
import type { Line } from '#lib/commands/command.ts'
import { faultsOf, recordCommand } from '#lib/commands/kind.ts'
import { readWholeThread } from '#lib/disputes/thread/case-thread.ts'
import { partyMessages } from '#lib/disputes/thread/thread.ts'
import { store } from '#lib/store/store.ts'
import { deadlineOf, dropDeadline } from './answer-deadline.ts'
import {
  assigneeRecord,
  type ClaimFacts,
  caseId,
  caseLine,
  caseRecord,
  caseWords,
  claimLines,
  type OpenClaimFacts,
  openFault,
  readOpenClaim,
  statusLine,
  unlessAssignedTo,
} from './case-assignment.ts'
import { readCaseForWork, refusedUnlessAssignee, unlessClosedTo } from './case-people.ts'
import { laterTimeFault } from './workspace.ts'
import { dropSnoozes, hasPartyWrittenSince, putSnooze } from './workspace-tables.ts'

/** `until`: ISO 8601; empty in old commands, which had no date. */
const snoozing = z.strictObject({ caseId, until: z.string() })

/** `messages`: by the parties so far. */
type SnoozeFacts = Readonly<Record<keyof OpenClaimFacts | 'messages', string>>

const untilLines = (until: string): Line[] => [
  ...(until === '' ? [] : [{ label: 'Snoozed until', value: until, as: 'time' } as const]),
  { label: until === '' ? 'Snoozed until' : 'Or until', value: 'a party writes', as: 'text' },
]

export const caseSnooze = recordCommand<z.output<typeof snoozing>, SnoozeFacts>({
  ...caseRecord,
  kind: 'case.snooze',
  params: snoozing,
  immediate: true,
  checkParams: ({ until }) => faultsOf({ until: laterTimeFault(until, Date.now()) }),
  async readFacts(session, input) {
    const claim = await readOpenClaim(session, input.caseId)
    if (!claim.ok) return claim
    const thread = await readWholeThread(session, input.caseId)
    if (!thread.ok) return thread
    return { ...claim, value: { ...claim.value, messages: String(partyMessages(thread.value)) } }
  },
  checkFacts: (_params, facts, { actor }) => ({
    ...faultsOf({ caseId: openFault(facts.status) }),
    ...unlessAssignedTo(actor, facts),
  }),
  title: ({ caseId: id }) => `Snooze ${caseWords(id)}`,
  summary: ({ caseId: id, until }) => [caseLine(id), ...untilLines(until)],
  factLines: (facts) => [
    ...claimLines(facts),
    statusLine(facts.status),
    { label: 'Messages of the parties', value: facts.messages, as: 'text' },
  ],
  consequence: () => 'Hidden from your cases until then, or until a party writes. You stay the assignee.',
  async checkUnderLock(trx, act) {
    const refusal = await assigneeRecord.checkUnderLock(trx, act)
    if (refusal !== null) return refusal
    const isAnswered = await hasPartyWrittenSince(trx, act.params.caseId, Number(act.facts.messages))
    return isAnswered ? { title: 'A party has written', advice: 'The case was not snoozed. Read the message.' } : null
  },
  describeSuccess: ({ caseId: id, until }) => ({ steps: [], lines: [caseLine(id), ...untilLines(until)] }),
  async record(trx, { commandId, params: { caseId: id, until }, facts: { messages } }) {
    const [ends, due] = [new Date(until).toISOString(), await deadlineOf(trx, id)]
    const wake_at = due !== null && Date.parse(due) > Date.now() ? due : null
    await putSnooze(trx, id, { until: ends, wake_at, messages: Number(messages), command_id: commandId })
  },
})

const CHANGED = 'The deadline has changed'

const deadlineLines = ({ deadline }: { readonly deadline: string }): Line[] => [
  { label: 'Answer by', value: deadline === '' ? 'none' : deadline, as: deadline === '' ? 'text' : 'time' },
]

export const caseWake = recordCommand<{ readonly caseId: string }, ClaimFacts>({
  ...assigneeRecord,
  kind: 'case.wake',
  title: ({ caseId: id }) => `Wake ${caseWords(id)}`,
  consequence: () => 'It shows among your cases again.',
  record: (trx, { params: { caseId: id } }) => dropSnoozes(trx, [id]),
})

/** `until`: as shown; absent in old commands. */
const dropping = z.strictObject({ caseId, until: z.string() })

/** Anyone who may write in the case. */
export const caseDropDeadline = recordCommand<z.output<typeof dropping>, { readonly deadline: string }>({
  ...caseRecord,
  kind: 'case.drop-deadline',
  params: dropping,
  immediate: true,
  async readFacts(session, { caseId: id }, author) {
    const problem = await unlessClosedTo(session, id, author)
    if (problem !== null) return { ok: false, problem }
    const found = await readCaseForWork(session, id)
    return found.ok ? { ...found, value: { deadline: (await deadlineOf(await store(), id)) ?? '' } } : found
  },
  checkFacts({ until }, { deadline }) {
    const fault = deadline === '' ? 'No answer is awaited any more.' : `${CHANGED}. Check it again.`
    return faultsOf({ caseId: deadline !== '' && deadline === until ? null : fault })
  },
  checkLast: refusedUnlessAssignee,
  async checkUnderLock(trx, { params: { caseId: id, until } }) {
    const stored = trx.selectFrom('answer_deadline').select('until').where('case_id', '=', id).forUpdate()
    const isSame = (await stored.executeTakeFirst())?.until === until
    return isSame ? null : { title: CHANGED, advice: 'Nothing was changed. Check it again.' }
  },
  title: ({ caseId: id }) => `Take off the answer deadline of ${caseWords(id)}`,
  summary: ({ caseId: id }, facts) => [caseLine(id), ...deadlineLines(facts)],
  factLines: deadlineLines,
  affectedBy: ['dispute.message', 'case.drop-deadline'],
  consequence: () => 'The message stays as it was sent. The case is not marked any more.',
  record: (trx, { params: { caseId: id } }) => dropDeadline(trx, id),
})
