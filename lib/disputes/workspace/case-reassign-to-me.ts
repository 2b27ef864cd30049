import 'server-only'
import { z } from 'zod'
import { faultsOf, recordCommand } from '#lib/commands/kind.ts'
import { store } from '#lib/store/store.ts'
import { openFault } from './case-assign.ts'
import { readCaseForWork } from './case-people.ts'
import {
  assignToActor,
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

/** `from`: the assignee whom the person sees. */
const params = z.strictObject({ caseId, from: z.string().min(1) })

type Params = z.output<typeof params>

type Facts = Readonly<Record<keyof ClaimFacts | 'status', string>>

/** A dialog names the assignee first. */
export const caseReassignToMe = recordCommand<Params, Facts>({
  ...caseRecord,
  kind: 'case.reassign-to-me',
  params,
  immediate: false,
  async readFacts(session, given) {
    const found = await readCaseForWork(session, given.caseId)
    if (!found.ok) return found
    return { ...found, value: { status: found.value.status, ...(await claimFacts(await store(), given.caseId)) } }
  },
  checkFacts: ({ from }, facts, { actor }) => ({
    ...unlessAssignedTo(from, facts),
    ...faultsOf({
      caseId: openFault(facts.status) ?? (from === actor ? 'You are already the assignee.' : null),
    }),
  }),
  locks: claimLock,
  title: (given, { holderName }) => `Reassign ${caseWords(given.caseId)} from ${holderName} to me`,
  summary: (given, facts) => [caseLine(given.caseId), ...claimLines(facts)],
  factLines: (facts) => [...claimLines(facts), { label: 'State', value: facts.status, as: 'case-state' }],
  consequence: (_params, { holderName }) => `${holderName} may be working on it and sees the change within seconds.`,
  checkUnderLock: (trx, { params: { from, caseId: id } }) => unlessStillAssignedTo(from, trx, id),
  describeSuccess: (given, { holderName }) => ({
    steps: [],
    lines: [caseLine(given.caseId), { label: 'Assignee before', value: holderName, as: 'text' }],
  }),
  record: assignToActor,
})
