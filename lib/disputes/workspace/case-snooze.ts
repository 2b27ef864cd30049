import 'server-only'
import { z } from 'zod'
import type { Line } from '#lib/commands/command.ts'
import { faultsOf, recordCommand } from '#lib/commands/kind.ts'
import { readWholeThread } from '#lib/disputes/thread/case-thread.ts'
import { partyMessages } from '#lib/disputes/thread/thread.ts'
import { store } from '#lib/store/store.ts'
import { openFault } from './case-assign.ts'
import { readCaseForWork } from './case-people.ts'
import {
  type ClaimFacts,
  caseId,
  caseLine,
  caseRecord,
  caseWords,
  claimFacts,
  claimLines,
  claimLock,
  unlessAssignedTo,
  unlessStillAssignedTo,
} from './case-record.ts'
import { snoozeFault } from './workspace.ts'
import { dropSnoozes, putSnooze } from './workspace-tables.ts'

/** `until`: ISO 8601; empty until a party writes. */
const snoozing = z.strictObject({ caseId, until: z.string() })
const waking = z.strictObject({ caseId })

/** `messages`: by the parties so far. */
type SnoozeFacts = Readonly<Record<keyof ClaimFacts | 'status' | 'messages', string>>

const untilLine = (until: string): Line => ({
  label: 'Snoozed until',
  ...(until === '' ? { value: 'a party writes', as: 'text' } : { value: until, as: 'time' }),
})

export const caseSnooze = recordCommand<z.output<typeof snoozing>, SnoozeFacts>({
  ...caseRecord,
  kind: 'case.snooze',
  params: snoozing,
  immediate: true,
  checkParams: ({ until }) => faultsOf({ until: snoozeFault(until, Date.now()) }),
  async readFacts(session, given) {
    const found = await readCaseForWork(session, given.caseId)
    if (!found.ok) return found
    const thread = await readWholeThread(session, given.caseId)
    if (!thread.ok) return thread
    const messages = String(partyMessages(thread.value))
    return {
      ...found,
      value: { status: found.value.status, messages, ...(await claimFacts(await store(), given.caseId)) },
    }
  },
  checkFacts: (_params, facts, { actor }) => ({
    ...faultsOf({ caseId: openFault(facts.status) }),
    ...unlessAssignedTo(actor, facts),
  }),
  locks: claimLock,
  title: ({ caseId: id }) => `Snooze ${caseWords(id)}`,
  summary: ({ caseId: id, until }) => [caseLine(id), untilLine(until)],
  factLines: (facts) => [
    ...claimLines(facts),
    { label: 'State', value: facts.status, as: 'case-state' },
    { label: 'Messages of the parties', value: facts.messages, as: 'text' },
  ],
  consequence: () => 'Hidden from your cases until then. You stay the assignee.',
  checkUnderLock: (trx, { actor, params: { caseId: id } }) => unlessStillAssignedTo(actor, trx, id),
  describeSuccess: ({ caseId: id, until }) => ({ steps: [], lines: [caseLine(id), untilLine(until)] }),
  async record(trx, { commandId, params: { caseId: id, until }, facts: { messages } }) {
    const ends = until === '' ? null : new Date(until).toISOString()
    await putSnooze(trx, id, { until: ends, messages: Number(messages), command_id: commandId })
  },
})

export const caseWake = recordCommand<z.output<typeof waking>, ClaimFacts>({
  ...caseRecord,
  kind: 'case.wake',
  params: waking,
  immediate: true,
  async readFacts(session, given) {
    const found = await readCaseForWork(session, given.caseId)
    return found.ok ? { ...found, value: await claimFacts(await store(), given.caseId) } : found
  },
  checkFacts: (_params, facts, { actor }) => unlessAssignedTo(actor, facts),
  locks: claimLock,
  title: ({ caseId: id }) => `Wake ${caseWords(id)}`,
  summary: ({ caseId: id }) => [caseLine(id)],
  factLines: claimLines,
  consequence: () => 'It shows among your cases again.',
  checkUnderLock: (trx, { actor, params: { caseId: id } }) => unlessStillAssignedTo(actor, trx, id),
  describeSuccess: ({ caseId: id }) => ({ steps: [], lines: [caseLine(id)] }),
  record: (trx, { params: { caseId: id } }) => dropSnoozes(trx, [id]),
})
