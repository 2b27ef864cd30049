import { RetryButton } from '#components/service/retry-button.tsx'
import type { QueueView } from '#lib/disputes/queue/queue.ts'
import { problemWords } from '#lib/service/problem-words.ts'

/** Why a list is shown in the service's own pages. */
export const QueueShortfall = ({ view }: { view: QueueView }) => (
  <div
    role="status"
    className="flex min-w-0 flex-1 basis-72 flex-wrap items-center gap-x-3 gap-y-2 text-attention text-sm"
  >
    <p className="min-w-56 flex-1">
      {whyOf(view)} Filters and sorting need all of it, so these are the service’s own pages, and none is applied.
    </p>
    {view.shortfall === 'too-many' ? null : <RetryButton />}
  </div>
)

function whyOf({ shortfall, problem, total }: QueueView): string {
  switch (shortfall) {
    case 'too-many':
      return `The list has ${total?.toLocaleString('en-US') ?? 'more'} cases, and this console reads at most 2,000.`
    case 'moved':
      return 'The list moved while it was read, twice.'
    default:
      return `The list could not be read to its end: ${problem === null ? 'no answer' : problemWords(problem).title}.`
  }
}
