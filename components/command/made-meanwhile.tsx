import Link from 'next/link'
import { Timestamp } from '#components/values/timestamp.tsx'
import type { Meanwhile } from '#lib/commands/command.ts'

/** Who changed the object since the person looked, as far as this console's journal tells. */
export function MadeMeanwhile({ meanwhile: { changes, hidden } }: { meanwhile: Meanwhile }) {
  if (changes.length === 0 && hidden === 0) {
    return <p className="px-3.5 py-2.5 text-secondary-foreground text-sm">It was changed outside this console.</p>
  }
  return (
    <div className="grid gap-1 px-3.5 py-2.5 text-secondary-foreground text-sm">
      <p>In this console meanwhile:</p>
      <ul className="grid gap-1">
        {changes.map(({ id, title, actorName, at, sure }) => (
          <li key={id} className="break-words">
            <Link href={`/activity/${id}`} prefetch={false} className="text-primary underline-offset-4 hover:underline">
              {title}
            </Link>
            , by {actorName}, {sure ? null : 'sent '}
            <Timestamp value={at} as="past" />
            {sure ? null : ': whether this is what changed it is not known'}
          </li>
        ))}
        {hidden === 0 ? null : (
          <li>{hidden === 1 ? 'A change' : `${hidden} changes`} of others, of which your scopes show nothing</li>
        )}
      </ul>
    </div>
  )
}
