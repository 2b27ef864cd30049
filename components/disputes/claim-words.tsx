import { Eye } from 'lucide-react'
import { Timestamp } from '#components/domain/timestamp.tsx'
import type { CaseDesk, Person } from '#lib/domain/case-desk.ts'
import { visibleText } from '#lib/domain/visible-text.ts'

/** With whom a case is, in words. */
export function ClaimWords({ desk: { claim, me, open } }: { desk: CaseDesk }) {
  if (claim === null) return open ? 'with nobody' : null
  const mine = claim.holder === me
  return (
    <span className="flex min-w-0 flex-wrap items-baseline gap-x-1.5">
      <span className="min-w-0 break-words">
        with <strong className="font-[550] text-ink">{mine ? 'you' : visibleText(claim.holderName)}</strong>
      </span>
      <span className="text-ink-3 text-xs">
        since <Timestamp value={claim.since} as="relative" />
      </span>
    </span>
  )
}

const NAMED_MAX = 3

/** Who else has the case open right now; nothing when nobody has. */
export function OtherViewers({ viewers }: { viewers: readonly Person[] }) {
  if (viewers.length === 0) return null
  const named = viewers.slice(0, NAMED_MAX).map(({ name }) => visibleText(name))
  const more = viewers.length - named.length
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5 text-ink-2">
      <Eye aria-hidden className="size-4 shrink-0 text-ink-3" />
      <span className="min-w-0 break-words">
        Also looking: {named.join(', ')}
        {more > 0 ? ` and ${more} more` : null}
      </span>
    </span>
  )
}
