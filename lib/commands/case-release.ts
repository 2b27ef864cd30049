import 'server-only'
import { z } from 'zod'
import { dropClaim } from '#lib/store/case-claims.ts'
import { readCaseForWork } from './case-sight.ts'
import type { CommandKind } from './command-kind.ts'
import {
  type ClaimFacts,
  caseId,
  caseLine,
  caseWords,
  claimFacts,
  claimLines,
  claimLock,
  ifStillWith,
  ownCaseAct,
  unlessWith,
} from './own-case-act.ts'

const params = z.strictObject({ caseId })

type Params = z.output<typeof params>

/** Gives one's own case back, also when it is resolved by now. */
export const caseRelease: CommandKind<Params, ClaimFacts, unknown> = {
  ...ownCaseAct,
  kind: 'case.release',
  params,
  immediate: true,
  checkParams: () => ({}),
  async readFacts(session, given) {
    const found = await readCaseForWork(session, given.caseId)
    return found.ok ? { ...found, value: await claimFacts(given.caseId) } : found
  },
  checkFacts: (_params, facts, { actor }) => unlessWith(actor, facts),
  locks: claimLock,
  title: (given) => `Release ${caseWords(given.caseId)}`,
  summary: (given, facts) => [caseLine(given.caseId), ...claimLines(facts)],
  factLines: claimLines,
  consequence: () => 'Anybody may take it.',
  send: ({ actor }, given) => ifStillWith(actor, given.caseId),
  tell: (given) => ({ steps: [], lines: [caseLine(given.caseId)] }),
  keep: (trx, { params: given }) => dropClaim(trx, given.caseId),
}
