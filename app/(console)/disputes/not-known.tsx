import { RetryButton } from '#components/service/retry-button.tsx'
import { indexWords } from '#lib/disputes/queue/index-words.ts'
import type { IndexState } from '#lib/disputes/queue/queue.ts'

interface CasesNotKnownProps {
  index: IndexState
  /** What is not known for want of it. */
  what: string
}

/** In the place of a number or a list that takes a complete sweep of the cases: that it is not known, and why. */
export const CasesNotKnown = ({ index, what }: CasesNotKnownProps) => (
  <div role="status" className="grid justify-items-start gap-2 text-sm">
    <p>
      <strong className="block font-semibold">{what} is not known</strong>
      <span className="text-secondary-foreground">{indexWords(index)}</span>
    </p>
    <RetryButton />
  </div>
)
