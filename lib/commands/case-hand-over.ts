import 'server-only'
import { z } from 'zod'
import { putClaim } from '#lib/store/case-claims.ts'
import { findCommand } from '#lib/store/commands.ts'
import { openFault } from './case-claim.ts'
import { peopleFor } from './case-people.ts'
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
  ownCaseAct,
  unlessWith,
} from './own-case-act.ts'

/** `to`: the actor who gets it. */
const params = z.strictObject({ caseId, to: z.string() })

type Params = z.output<typeof params>

/** `toName` is empty where this console does not know whom `to` means. */
type Facts = Readonly<Record<keyof ClaimFacts | 'status' | 'toName', string>>

/** Gives one's own case to somebody else. */
export const caseHandOver: CommandKind<Params, Facts, unknown> = {
  ...ownCaseAct,
  kind: 'case.hand-over',
  params,
  immediate: true,
  checkParams: ({ to }) => faultsOf({ to: to === '' ? 'Choose who gets it.' : null }),
  async readFacts(session, { caseId: id, to }) {
    const found = await readCaseForWork(session, id)
    if (!found.ok) return found
    const person = (await peopleFor(session, found.value)).find(({ actor }) => actor === to)
    const { status } = found.value
    return { ...found, value: { status, toName: person?.name ?? '', ...(await claimFacts(id)) } }
  },
  checkFacts: (_params, facts, { actor }) => ({
    ...faultsOf({
      to:
        facts.toName === '' ? 'This console knows nobody of that name who could have it. Choose somebody else.' : null,
      caseId: openFault(facts.status),
    }),
    ...unlessWith(actor, facts),
  }),
  locks: claimLock,
  title: (given, { toName }) => `Hand ${caseWords(given.caseId)} over to ${toName}`,
  summary: (given, facts) => [caseLine(given.caseId), { label: 'To', value: facts.toName, as: 'text' }],
  factLines: (facts) => [
    ...claimLines(facts),
    { label: 'State', value: facts.status, as: 'mono' },
    { label: 'To', value: facts.toName, as: 'text' },
  ],
  consequence: (_params, { toName }) => `${toName} has it, and may hand it on.`,
  send: ({ actor }, given) => ifStillWith(actor, given.caseId),
  tell: (given, { toName }) => ({
    steps: [],
    lines: [caseLine(given.caseId), { label: 'With', value: toName, as: 'text' }],
  }),
  async keep(trx, { commandId, params: { caseId: id, to } }) {
    const command = await findCommand(trx, commandId)
    if (command === undefined) throw new Error(`there is no command ${commandId}`)
    const { toName } = JSON.parse(command.facts) as Facts
    await putClaim(trx, { caseId: id, holder: to, holderName: toName, since: new Date().toISOString() }, commandId)
  },
}
