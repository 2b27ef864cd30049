import { TriangleAlert } from 'lucide-react'
import { Timestamp } from '#components/values/timestamp.tsx'
import type { DraftLimit } from '#lib/commands/command.ts'
import { limitSentence } from './limit-words.ts'

/** What the person has used of the limits that a draft is subject to. */
export function DraftLimits({ limits }: { limits: readonly DraftLimit[] }) {
  return limits.map((limit) => (
    <p
      key={limitSentence(limit)}
      className={`border-t px-4.5 py-3 text-sm ${limit.beyond ? 'flex gap-2 bg-attention-wash' : 'text-secondary-foreground'}`}
    >
      {limit.beyond ? <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-attention" /> : null}
      <span>
        {limit.beyond ? 'This is beyond your limit. ' : null}
        {limitSentence(limit)}
        {limit.beyond && limit.lessAt !== null ? (
          <>
            {' '}
            There is more room from <Timestamp value={limit.lessAt} /> on.
          </>
        ) : null}
      </span>
    </p>
  ))
}
