import 'server-only'
import { z } from 'zod'
import type { Line } from '#lib/commands/command.ts'
import { faultsOf, recordCommand } from '#lib/commands/kind.ts'
import { withoutMessages } from '#lib/disputes/thread/thread.ts'
import type { Session } from '#lib/session/session.ts'
import { removeSentText } from '#lib/session/unsent-text.ts'
import { caseNotePlace } from '#lib/session/unsent-text-place.ts'
import { caseId, caseRecord, caseWords } from './case-assignment.ts'
import { addMentions } from './case-notices.ts'
import { findCandidates, readCaseForWork, refusedUnlessAssignee, unlessClosedTo } from './case-people.ts'
import { MENTIONS_MAX, mentionedIn } from './mention.ts'
import { caseNoteFault, type Person } from './workspace.ts'
import { addNote, eraseNote } from './workspace-tables.ts'

/** `mentions`: actors. */
const params = z.strictObject({ caseId, text: z.string().trim(), mentions: z.array(z.string()).default([]) })

type Params = z.output<typeof params>

/** `mentions`: the people, as JSON. Absent in old commands. */
type Facts = Readonly<Record<'referenceId' | 'mentions', string>>

const peopleIn = ({ mentions }: Partial<Facts>): readonly Person[] => JSON.parse(mentions ?? '[]')

function mentionsFault({ text, mentions }: Params, facts: Facts, me: string): string | null {
  const people = peopleIn(facts)
  if (mentions.some((actor) => actor !== me && !people.some((person) => person.actor === actor)))
    return 'Someone mentioned cannot work on this case: not known here, a party to it, or without the scope.'
  const named = mentionedIn(text, people)
  const missing = people.find((person) => !named.includes(person))
  return missing === undefined ? null : `The note does not name @${missing.name}. Choose the person again.`
}

const mentionLines = (facts: Facts): Line[] =>
  peopleIn(facts).map(({ name }) => ({ label: 'Mentions', value: name, as: 'text' }))

/** The case's parties must not see notes: the text is in no summary and no outcome, and only the author sees the command. */
export const caseNote = recordCommand<Params, Facts>({
  ...caseRecord,
  kind: 'case.note',
  eraseText: eraseNote,
  params,
  immediate: true,
  checkParams: ({ text, mentions }) =>
    faultsOf({
      text: caseNoteFault(text),
      mentions: mentions.length > MENTIONS_MAX ? `A note can mention at most ${MENTIONS_MAX} people.` : null,
    }),
  async readFacts(session, input, author) {
    const problem = await unlessClosedTo(session, input.caseId, author)
    if (problem !== null) return { ok: false, problem }
    const found = await readCaseForWork(session, input.caseId)
    if (!found.ok) return found
    const people = await findCandidates(session, found.value, input.mentions)
    return { ...found, value: { referenceId: found.value.referenceId, mentions: JSON.stringify(people) } }
  },
  checkFacts: (input, facts, { actor }: Session) => faultsOf({ mentions: mentionsFault(input, facts, actor) }),
  checkLast: refusedUnlessAssignee,
  locks: () => [],
  title: (input) => `Add a note to ${caseWords(input.caseId)}`,
  affectedBy: [],
  factLines: (facts) => [{ label: 'Transaction', value: facts.referenceId, as: 'reference' }, ...mentionLines(facts)],
  consequence: () => 'Saved permanently, for staff only. The service and the parties never see it.',
  async record(trx, { commandId: id, actor: author, actorName: author_name, params: { caseId: of, text }, facts }) {
    await addNote(trx, { id, case_id: of, author, author_name, text, at: new Date().toISOString() })
    await addMentions(trx, { id, caseId: of }, peopleIn(facts))
    await removeSentText(trx, author, caseNotePlace(of), (kept) => withoutMessages(kept, [{ body: text }]))
  },
})
