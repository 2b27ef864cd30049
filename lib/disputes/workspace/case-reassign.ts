import 'server-only'
import { z } from 'zod'
import { faultsOf, recordCommand } from '#lib/commands/kind.ts'
import { store } from '#lib/store/store.ts'
import { openFault } from './case-assign.ts'
import { peopleFor, readCaseForWork } from './case-people.ts'
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
import { caseNoteFault } from './workspace.ts'
import { addNote, putClaim } from './workspace-tables.ts'

const params = z.strictObject({ caseId, to: z.string(), note: z.string().trim().default('') })

type Params = z.output<typeof params>

/** `toName`: empty if the actor is unknown here. */
type Facts = Readonly<Record<keyof ClaimFacts | 'status' | 'toName', string>>

export const caseReassign = recordCommand<Params, Facts>({
  ...caseRecord,
  kind: 'case.reassign',
  params,
  immediate: true,
  checkParams: ({ to, note }) =>
    faultsOf({ to: to === '' ? 'Choose an assignee.' : null, note: note === '' ? null : caseNoteFault(note) }),
  async readFacts(session, { caseId: id, to }) {
    const found = await readCaseForWork(session, id)
    if (!found.ok) return found
    const person = (await peopleFor(session, found.value)).find(({ actor }) => actor === to)
    const { status } = found.value
    return { ...found, value: { status, toName: person?.name ?? '', ...(await claimFacts(await store(), id)) } }
  },
  checkFacts: (_params, facts, { actor }) => ({
    ...faultsOf({
      to: facts.toName === '' ? 'No colleague with that name can be the assignee. Choose someone else.' : null,
      caseId: openFault(facts.status),
    }),
    ...unlessAssignedTo(actor, facts),
  }),
  locks: claimLock,
  title: (given, { toName }) => `Reassign ${caseWords(given.caseId)} to ${toName}`,
  summary: (given, facts) => [caseLine(given.caseId), { label: 'To', value: facts.toName, as: 'text' }],
  factLines: (facts) => [
    ...claimLines(facts),
    { label: 'State', value: facts.status, as: 'case-state' },
    { label: 'To', value: facts.toName, as: 'text' },
  ],
  consequence: (_params, { toName }) => `${toName} becomes the assignee and can reassign it.`,
  checkUnderLock: (trx, { actor, params: given }) => unlessStillAssignedTo(actor, trx, given.caseId),
  describeSuccess: (given, { toName }) => ({
    steps: [],
    lines: [caseLine(given.caseId), { label: 'Assignee', value: toName, as: 'text' }],
  }),
  async record(trx, { commandId, actor, actorName, params: { caseId: id, to, note }, facts: { toName } }) {
    const now = new Date().toISOString()
    await putClaim(trx, { caseId: id, holder: to, holderName: toName, since: now }, commandId)
    if (note === '') return
    await addNote(trx, { id: commandId, case_id: id, author: actor, author_name: actorName, text: note, at: now })
  },
})
