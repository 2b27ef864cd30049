import { RetryButton } from '#components/service/retry-button.tsx'
import type { QueueView } from '#lib/disputes/queue/queue.ts'
import { shortfallWords } from '#lib/disputes/queue/shortfall-words.ts'

/** Why a list is shown in the service's own pages. */
export const QueueShortfall = ({ view }: { view: QueueView }) => (
  <div
    role="status"
    className="flex min-w-0 flex-1 basis-72 flex-wrap items-center gap-x-3 gap-y-2 text-attention text-sm"
  >
    <p className="min-w-56 flex-1">
      {shortfallWords(view)} Filters and sorting need all of it, so these are the service’s own pages, and none is
      applied.
    </p>
    {view.shortfall === 'too-many' ? null : <RetryButton />}
  </div>
)
