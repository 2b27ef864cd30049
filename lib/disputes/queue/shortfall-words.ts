import { problemWords } from '#lib/service/problem-words.ts'
import { type OpenCount, type QueueView, SWEEP_MAX_CASES } from './queue.ts'

/** Why a list of cases is not known to be all there is. */
export function shortfallWords({ shortfall, problem, total }: Pick<QueueView, 'shortfall' | 'problem' | 'total'>) {
  switch (shortfall) {
    case 'too-many':
      return `The list has ${total?.toLocaleString('en-US') ?? 'more'} cases, and this console reads at most ${SWEEP_MAX_CASES.toLocaleString('en-US')}.`
    case 'moved':
      return 'The list moved while it was read, twice.'
    default:
      return `The list could not be read to its end: ${problem === null ? 'no answer' : problemWords(problem).title}.`
  }
}

/** Of the list of open cases. */
export function openCount(view: QueueView): OpenCount {
  if (view.completeAt === null) return { notKnown: shortfallWords(view) }
  return view.adminView === 'proved' ? view.total : null
}
