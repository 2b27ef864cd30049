import 'server-only'
import { z } from 'zod'
import { faultsOf, type RecordKind } from '#lib/commands/kind.ts'
import { readCaseForWork } from './case-people.ts'
import { caseId, caseLine, caseWords, ownCaseAct } from './own-case-act.ts'
import { caseNoteFault } from './workspace.ts'
import { addNote } from './workspace-tables.ts'

const params = z.strictObject({ caseId, text: z.string().trim() })

type Params = z.output<typeof params>

type Facts = Readonly<Record<'referenceId', string>>

/** The case's parties must not see notes: the text is in no outcome, and only the author sees the command. */
export const caseNote: RecordKind<Params, Facts> = {
  ...ownCaseAct,
  kind: 'case.note',
  reconcileScope: 'own',
  params,
  immediate: true,
  checkParams: ({ text }) => faultsOf({ text: caseNoteFault(text) }),
  async readFacts(session, given) {
    const found = await readCaseForWork(session, given.caseId)
    return found.ok ? { ...found, value: { referenceId: found.value.referenceId } } : found
  },
  checkFacts: () => ({}),
  locks: () => [],
  title: (given) => `Add a note to ${caseWords(given.caseId)}`,
  // The history shows the summary, so it must not contain the text.
  summary: (given) => [caseLine(given.caseId)],
  movedBy: [],
  factLines: ({ referenceId }) => [{ label: 'Transaction', value: referenceId, as: 'reference' }],
  consequence: () => 'Staff sees it for good. It goes neither to the service nor to the parties.',
  send: async () => ({ kind: 'own' }),
  describeSuccess: (given) => ({ steps: [], lines: [caseLine(given.caseId)] }),
  onSettled: (trx, { commandId, actor, actorName, params: given }) =>
    addNote(trx, {
      id: commandId,
      case_id: given.caseId,
      author: actor,
      author_name: actorName,
      text: given.text,
      at: new Date().toISOString(),
    }),
}
