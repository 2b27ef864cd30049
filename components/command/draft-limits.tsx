import { TriangleAlert } from 'lucide-react'
import { Timestamp } from '#components/values/timestamp.tsx'
import type { DraftLimit } from '#lib/commands/command.ts'
import { NEVER_FITS } from '#lib/commands/policy/rule-words.ts'
import { limitSentence } from './limit-words.ts'

/** What the person has used of the limits that a draft is subject to. */
export function DraftLimits({ limits }: { limits: readonly DraftLimit[] }) {
  return limits.map((limit) => (
    <p
      key={limitSentence(limit)}
      className={`border-t px-4.5 py-3 text-sm ${limit.beyond !== null ? 'flex gap-2 bg-attention-wash' : 'text-secondary-foreground'}`}
    >
      {limit.beyond !== null ? <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-attention" /> : null}
      <span>
        {limit.beyond !== null ? 'This is beyond your limit. ' : null}
        {limitSentence(limit)}
        {limit.beyond !== null ? <Room {...limit.beyond} /> : null}
      </span>
    </p>
  ))
}

const Room = ({ fitsAt }: { fitsAt: string | null }) =>
  fitsAt === null ? (
    ` ${NEVER_FITS}`
  ) : (
    <>
      {' '}
      You can send this from <Timestamp value={fitsAt} /> on.
    </>
  )
