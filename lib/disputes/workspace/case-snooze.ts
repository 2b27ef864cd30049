import 'server-only'
import { z } from 'zod'
import type { Line } from '#lib/commands/command.ts'
import { faultsOf, recordCommand } from '#lib/commands/kind.ts'
import { readWholeThread } from '#lib/disputes/thread/case-thread.ts'
import { partyMessages } from '#lib/disputes/thread/thread.ts'
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
import { snoozeFault } from './workspace.ts'
import { dropSnoozes, putSnooze } from './workspace-tables.ts'

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
  checkParams: ({ until }) => faultsOf({ until: snoozeFault(until, Date.now()) }),
  async readFacts(session, given) {
    const claim = await readOpenClaim(session, given.caseId)
    if (!claim.ok) return claim
    const thread = await readWholeThread(session, given.caseId)
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
  checkUnderLock: assigneeRecord.checkUnderLock,
  describeSuccess: ({ caseId: id, until }) => ({ steps: [], lines: [caseLine(id), ...untilLines(until)] }),
  async record(trx, { commandId, params: { caseId: id, until }, facts: { messages } }) {
    const ends = new Date(until).toISOString()
    await putSnooze(trx, id, { until: ends, messages: Number(messages), command_id: commandId })
  },
})

export const caseWake = recordCommand<{ readonly caseId: string }, ClaimFacts>({
  ...assigneeRecord,
  kind: 'case.wake',
  title: ({ caseId: id }) => `Wake ${caseWords(id)}`,
  consequence: () => 'It shows among your cases again.',
  record: (trx, { params: { caseId: id } }) => dropSnoozes(trx, [id]),
})
