import { RetryButton } from '#components/service/retry-button.tsx'
import type { QueueView } from '#lib/disputes/queue/queue.ts'
import { shortfallWords } from '#lib/disputes/queue/shortfall-words.ts'

interface CasesNotKnownProps {
  view: Pick<QueueView, 'shortfall' | 'problem' | 'total'>
  /** What is not known for want of the whole list. */
  what: string
}

/** In the place of a number or a list that takes a whole reading of the cases: that it is not known, and why. */
export const CasesNotKnown = ({ view, what }: CasesNotKnownProps) => (
  <div role="status" className="grid justify-items-start gap-2 text-sm">
    <p>
      <strong className="block font-semibold">{what} is not known</strong>
      <span className="text-secondary-foreground">{shortfallWords(view)}</span>
    </p>
    {view.shortfall === 'too-many' ? null : <RetryButton />}
  </div>
)
