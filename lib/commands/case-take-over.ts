import 'server-only'
import { z } from 'zod'
import { openFault } from './case-claim.ts'
import { readCaseForWork } from './case-sight.ts'
import type { CommandKind } from './command-kind.ts'
import { faultsOf } from './field-faults.ts'
import {
  type ClaimFacts,
  caseId,
  caseLine,
  caseWords,
  claimFacts,
  claimLines,
  claimLock,
  ifStillWith,
  keepWithActor,
  ownCaseAct,
  unlessWith,
} from './own-case-act.ts'

/** `from`: the actor whom the person sees it with. */
const params = z.strictObject({ caseId, from: z.string().min(1) })

type Params = z.output<typeof params>

type Facts = Readonly<Record<keyof ClaimFacts | 'status', string>>

/** Takes a case that is with somebody else: never in passing, so a dialog names them first. */
export const caseTakeOver: CommandKind<Params, Facts, unknown> = {
  ...ownCaseAct,
  kind: 'case.take-over',
  params,
  immediate: false,
  checkParams: () => ({}),
  async readFacts(session, given) {
    const found = await readCaseForWork(session, given.caseId)
    if (!found.ok) return found
    return { ...found, value: { status: found.value.status, ...(await claimFacts(given.caseId)) } }
  },
  checkFacts: ({ from }, facts, { actor }) => ({
    ...unlessWith(from, facts),
    ...faultsOf({
      caseId: openFault(facts.status) ?? (from === actor ? 'It is with you already.' : null),
    }),
  }),
  locks: claimLock,
  title: (given, { holderName }) => `Take ${caseWords(given.caseId)} over from ${holderName}`,
  summary: (given, facts) => [caseLine(given.caseId), ...claimLines(facts)],
  factLines: (facts) => [...claimLines(facts), { label: 'State', value: facts.status, as: 'case-state' }],
  consequence: (_params, { holderName }) =>
    `${holderName} may be in the middle of it, and sees within seconds that it is with you.`,
  send: (_session, { from, caseId: id }) => ifStillWith(from, id),
  tell: (given, { holderName }) => ({
    steps: [],
    lines: [caseLine(given.caseId), { label: 'Was with', value: holderName, as: 'text' }],
  }),
  keep: keepWithActor,
}
