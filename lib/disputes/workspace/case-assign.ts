import 'server-only'
import { z } from 'zod'
import { faultsOf, recordCommand } from '#lib/commands/kind.ts'
import { caseStateWords } from '#lib/disputes/case-state.ts'
import { readCaseForWork } from './case-people.ts'
import {
  assignToActor,
  caseId,
  caseLine,
  caseRecord,
  caseWords,
  claimLock,
  unlessStillAssignedTo,
} from './case-record.ts'

const params = z.strictObject({ caseId })

type Params = z.output<typeof params>

type Facts = Readonly<Record<'status', string>>

export const openFault = (status: string): string | null =>
  status === 'OPEN' ? null : `This case is ${caseStateWords(status).word}. Only an open case can be assigned.`

/** Checks the assignee under the lock, so that one of two concurrent requests wins. */
export const caseAssign = recordCommand<Params, Facts>({
  ...caseRecord,
  kind: 'case.assign',
  params,
  immediate: true,
  async readFacts(session, given) {
    const found = await readCaseForWork(session, given.caseId)
    return found.ok ? { ...found, value: { status: found.value.status } } : found
  },
  checkFacts: (_params, { status }) => faultsOf({ caseId: openFault(status) }),
  locks: claimLock,
  title: (given) => `Assign ${caseWords(given.caseId)} to me`,
  summary: (given) => [caseLine(given.caseId)],
  factLines: ({ status }) => [{ label: 'State', value: status, as: 'case-state' }],
  consequence: () => 'Your colleagues see you as the assignee.',
  checkUnderLock: (trx, { params: given }) => unlessStillAssignedTo('', trx, given.caseId),
  describeSuccess: (given) => ({ steps: [], lines: [caseLine(given.caseId)] }),
  record: assignToActor,
})
