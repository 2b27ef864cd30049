import 'server-only'
import { z } from 'zod'
import { recordCommand } from '#lib/commands/kind.ts'
import { store } from '#lib/store/store.ts'
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
import { dropClaim } from './workspace-tables.ts'

const params = z.strictObject({ caseId })

type Params = z.output<typeof params>

/** Also for a resolved case. */
export const caseUnassign = recordCommand<Params, ClaimFacts>({
  ...caseRecord,
  kind: 'case.unassign',
  params,
  immediate: true,
  async readFacts(session, given) {
    const found = await readCaseForWork(session, given.caseId)
    return found.ok ? { ...found, value: await claimFacts(await store(), given.caseId) } : found
  },
  checkFacts: (_params, facts, { actor }) => unlessAssignedTo(actor, facts),
  locks: claimLock,
  title: (given) => `Unassign ${caseWords(given.caseId)}`,
  summary: (given, facts) => [caseLine(given.caseId), ...claimLines(facts)],
  factLines: claimLines,
  consequence: () => 'Anyone can be assigned.',
  checkUnderLock: (trx, { actor, params: given }) => unlessStillAssignedTo(actor, trx, given.caseId),
  describeSuccess: (given) => ({ steps: [], lines: [caseLine(given.caseId)] }),
  record: (trx, { params: given }) => dropClaim(trx, given.caseId),
})
