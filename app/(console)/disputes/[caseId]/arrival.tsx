import { useEffect, useState } from 'react'
import { Reference } from '#components/values/reference.tsx'
import { arrivedFrom, forgetArrival } from './between-cases.ts'

/** Says, on a case that was opened by itself, that the one before is resolved. */
export function Arrival({ caseId }: { caseId: string }) {
  const [from] = useState(() => arrivedFrom(caseId))
  useEffect(forgetArrival, [])
  if (from === null) return null
  return (
    <p
      role="status"
      className="flex flex-wrap items-center gap-x-1.5 border-b px-4 py-1.5 text-secondary-foreground text-xs"
    >
      Case <Reference value={from} name="Case resolved before" href={`/disputes/${encodeURIComponent(from)}`} short />{' '}
      is resolved. This is the next one, and you are its assignee.
    </p>
  )
}
