import 'server-only'
import { z } from 'zod'
import { faultsOf, recordCommand } from '#lib/commands/kind.ts'
import { refusedUnlessAssignee, unlessClosedTo } from './assignee-only.ts'
import { caseId, caseRecord, caseWords } from './case-assignment.ts'
import { readCaseForWork } from './case-people.ts'
import { caseNoteFault } from './workspace.ts'
import { addNote } from './workspace-tables.ts'

const params = z.strictObject({ caseId, text: z.string().trim() })

type Params = z.output<typeof params>

type Facts = Readonly<Record<'referenceId', string>>

/** The case's parties must not see notes: the text is in no summary and no outcome, and only the author sees the command. */
export const caseNote = recordCommand<Params, Facts>({
  ...caseRecord,
  kind: 'case.note',
  params,
  immediate: true,
  checkParams: ({ text }) => faultsOf({ text: caseNoteFault(text) }),
  async readFacts(session, given, author) {
    const problem = await unlessClosedTo(session, given.caseId, author)
    if (problem !== null) return { ok: false, problem }
    const found = await readCaseForWork(session, given.caseId)
    return found.ok ? { ...found, value: { referenceId: found.value.referenceId } } : found
  },
  checkLast: refusedUnlessAssignee,
  locks: () => [],
  title: (given) => `Add a note to ${caseWords(given.caseId)}`,
  affectedBy: [],
  factLines: ({ referenceId }) => [{ label: 'Transaction', value: referenceId, as: 'reference' }],
  consequence: () => 'Saved permanently, for staff only. The service and the parties never see it.',
  record: (trx, { commandId, actor, actorName, params: given }) =>
    addNote(trx, {
      id: commandId,
      case_id: given.caseId,
      author: actor,
      author_name: actorName,
      text: given.text,
      at: new Date().toISOString(),
    }),
})
