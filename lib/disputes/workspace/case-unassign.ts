import 'server-only'
import { z } from 'zod'
import type { RecordKind } from '#lib/commands/kind.ts'
import { readCaseForWork } from './case-people.ts'
import {
  type ClaimFacts,
  caseId,
  caseLine,
  caseWords,
  claimFacts,
  claimLines,
  claimLock,
  ifStillAssignedTo,
  ownCaseAct,
  unlessAssignedTo,
} from './own-case-act.ts'
import { dropClaim } from './workspace-tables.ts'

const params = z.strictObject({ caseId })

type Params = z.output<typeof params>

/** Also for a resolved case. */
export const caseUnassign: RecordKind<Params, ClaimFacts> = {
  ...ownCaseAct,
  kind: 'case.unassign',
  params,
  immediate: true,
  checkParams: () => ({}),
  async readFacts(session, given) {
    const found = await readCaseForWork(session, given.caseId)
    return found.ok ? { ...found, value: await claimFacts(given.caseId) } : found
  },
  checkFacts: (_params, facts, { actor }) => unlessAssignedTo(actor, facts),
  locks: claimLock,
  title: (given) => `Unassign ${caseWords(given.caseId)}`,
  summary: (given, facts) => [caseLine(given.caseId), ...claimLines(facts)],
  factLines: claimLines,
  consequence: () => 'Anybody may have it assigned.',
  send: ({ actor }, given) => ifStillAssignedTo(actor, given.caseId),
  describeSuccess: (given) => ({ steps: [], lines: [caseLine(given.caseId)] }),
  onSettled: (trx, { params: given }) => dropClaim(trx, given.caseId),
}
