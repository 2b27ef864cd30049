import { RetryButton } from '#components/service/retry-button.tsx'
import type { IndexState } from '#lib/disputes/queue/queue.ts'
import { indexWords } from '#lib/disputes/queue/words.ts'

interface CasesNotKnownProps {
  index: IndexState
  /** The subject of the sentence "… is not known". */
  what: string
}

/** Shown in place of a count or list that needs a complete read of all cases. */
export const CasesNotKnown = ({ index, what }: CasesNotKnownProps) => (
  <div role="status" className="grid justify-items-start gap-2 text-sm">
    <p>
      <strong className="block font-semibold">{what} is not known</strong>
      <span className="text-secondary-foreground">{indexWords(index)}</span>
    </p>
    <RetryButton />
  </div>
)
