import Link from 'next/link'
import { Panel } from '#components/frame/panel.tsx'
import { StateBadge } from '#components/values/state-badge.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import { type EarlierCases, earlierCasesWith } from '#lib/disputes/queue/earlier-cases.ts'
import type { ThreadCase } from '#lib/disputes/thread/thread.ts'
import type { Session } from '#lib/session/session.ts'
import { endOf } from '#lib/values/uuid.ts'
import { visibleText } from '#lib/values/visible-text.ts'

/** Of each person; the queue has them all. */
const SHOWN = 5

/** Other cases of the two, as far as this console has seen them. */
export async function EarlierCasesPanel({ session, found }: { session: Session; found: ThreadCase }) {
  const { raisedByUserId, counterpartyUserId } = found
  const [raiser, other] = await Promise.all([
    earlierCasesWith(session, raisedByUserId, found.id),
    earlierCasesWith(session, counterpartyUserId, found.id),
  ])
  return (
    <Panel title="Seen before" aside={<span className="text-muted-foreground text-xs">by this console</span>}>
      <OfOne who={`${endOf(raisedByUserId)}, who raised it`} userId={raisedByUserId} earlier={raiser} />
      <OfOne who={`${endOf(counterpartyUserId)}, the other side`} userId={counterpartyUserId} earlier={other} />
    </Panel>
  )
}

interface OfOneProps {
  who: string
  userId: string
  earlier: EarlierCases | null
}

function OfOne({ who, userId, earlier }: OfOneProps) {
  return (
    <div className="px-3.5 py-2.5 text-sm not-first:border-t">
      <h3 className="flex flex-wrap gap-x-2">
        <span className="min-w-0 flex-1 text-muted-foreground">{who}</span>
        <span className="font-[550]">{countWords(earlier)}</span>
      </h3>
      {earlier === null || earlier.cases.length === 0 ? null : (
        <ul className="mt-1 grid gap-1">
          {earlier.cases.slice(0, SHOWN).map(({ id, status, outcome, role, createdAt }) => (
            <li key={id} className="flex flex-wrap items-center gap-x-2">
              <Link
                href={`/disputes/${id}`}
                prefetch={false}
                className="mono text-primary underline-offset-4 hover:underline"
              >
                {endOf(id)}
              </Link>
              <span className="text-muted-foreground text-xs">
                {role === 'raised-by' ? 'raised it' : 'against them'}, <Timestamp value={createdAt} as="relative" />
              </span>
              <span className="ml-auto">
                {outcome === null ? (
                  <StateBadge state={status} of="case" />
                ) : (
                  <span className="mono">{visibleText(outcome)}</span>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
      {(earlier?.cases.length ?? 0) > SHOWN ? (
        <Link
          href={`/disputes?${new URLSearchParams({ status: 'ALL', party: userId })}`}
          prefetch={false}
          className="text-primary text-xs underline-offset-4 hover:underline"
        >
          All of them in the queue
        </Link>
      ) : null}
    </div>
  )
}

function countWords(earlier: EarlierCases | null): string {
  if (earlier === null) return 'not known: admin view is not proved'
  const { cases, more } = earlier
  if (cases.length === 0) return 'first case'
  return `${cases.length}${more ? ' or more' : ''} ${cases.length === 1 ? 'case' : 'cases'}`
}
