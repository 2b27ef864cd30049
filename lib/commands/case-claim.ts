import 'server-only'
import { z } from 'zod'
import { readCaseForWork } from './case-sight.ts'
import type { CommandKind } from './command-kind.ts'
import { faultsOf } from './field-faults.ts'
import { caseId, caseLine, caseWords, claimLock, ifStillWith, keepWithActor, ownCaseAct } from './own-case-act.ts'

const params = z.strictObject({ caseId })

type Params = z.output<typeof params>

type Facts = Readonly<Record<'status', string>>

/** The words for a case that nobody can begin to work on any more. */
export const openFault = (status: string): string | null =>
  status === 'OPEN' ? null : `Its state is ${status}: only an open case can be taken.`

/** Takes a free case. Who has it is looked at under the lock alone, so that of two who take it at once one has it. */
export const caseClaim: CommandKind<Params, Facts, unknown> = {
  ...ownCaseAct,
  kind: 'case.claim',
  params,
  immediate: true,
  checkParams: () => ({}),
  async readFacts(session, given) {
    const found = await readCaseForWork(session, given.caseId)
    return found.ok ? { ...found, value: { status: found.value.status } } : found
  },
  checkFacts: (_params, { status }) => faultsOf({ caseId: openFault(status) }),
  locks: claimLock,
  title: (given) => `Take ${caseWords(given.caseId)}`,
  summary: (given) => [caseLine(given.caseId)],
  factLines: ({ status }) => [{ label: 'State', value: status, as: 'mono' }],
  consequence: () => 'Your colleagues see that it is with you.',
  send: (_session, given) => ifStillWith('', given.caseId),
  tell: (given) => ({ steps: [], lines: [caseLine(given.caseId)] }),
  keep: keepWithActor,
}
