import 'server-only'
import { z } from 'zod'
import { faultsOf, recordCommand } from '#lib/commands/kind.ts'
import { caseStateWords } from '#lib/disputes/case-state.ts'
import { store } from '#lib/store/store.ts'
import { caseId, caseLine, caseRecord, caseWords, described, textLine } from './case-assignment.ts'
import { dropWatch, putWatch, watchOf } from './case-notices.ts'
import { readCaseForWork } from './case-people.ts'

const params = z.strictObject({ caseId, watching: z.boolean() })

type Params = z.output<typeof params>

/** `watching`: `yes` or `no`. `status`: empty where it does not matter. */
type WatchFacts = Readonly<Record<'watching' | 'status', string>>

function watchFault({ watching }: Params, facts: WatchFacts): string | null {
  if (watching === (facts.watching === 'yes')) return watching ? 'You watch this case.' : 'You do not watch this case.'
  return !watching || facts.status === 'OPEN'
    ? null
    : `This case is ${caseStateWords(facts.status).word}. Only an open case can be watched.`
}

const actWords = ({ watching }: Params): string => (watching ? 'Watch' : 'Stop watching')

export const caseWatch = recordCommand<Params, WatchFacts>({
  ...caseRecord,
  kind: 'case.watch',
  params,
  immediate: true,
  async readFacts(session, input) {
    const watching = (await watchOf(await store(), { ...input, actor: session.actor })) === null ? 'no' : 'yes'
    // Stopping works also if the service cannot be read.
    if (!input.watching) return { ok: true, value: { watching, status: '' }, serviceTime: null }
    const found = await readCaseForWork(session, input.caseId)
    return found.ok ? { ...found, value: { watching, status: found.value.status } } : found
  },
  checkFacts: (input, facts) => faultsOf({ caseId: watchFault(input, facts) }),
  locks: () => [],
  affectedBy: [],
  title: (input) => `${actWords(input)} ${caseWords(input.caseId)}`,
  summary: (input) => [caseLine(input.caseId), textLine('Change', actWords(input))],
  factLines: ({ watching }) => [{ label: 'Watched', value: watching, as: 'text' }],
  consequence: ({ watching }) =>
    watching
      ? 'Its new messages, notes, assignees and its end show on your Home page.'
      : 'It no longer shows on your Home page.',
  describeSuccess: (input) => described(caseLine(input.caseId), textLine('Change', actWords(input))),
  record: (trx, { commandId, actor, params: input }) =>
    input.watching ? putWatch(trx, { ...input, actor }, commandId) : dropWatch(trx, { ...input, actor }),
})
