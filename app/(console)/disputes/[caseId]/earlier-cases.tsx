import Link from 'next/link'
import type { ReactNode } from 'react'
import { Panel } from '#components/frame/panel.tsx'
import { IdMark } from '#components/values/id-mark.tsx'
import { ServiceName } from '#components/values/service-name.tsx'
import { StateBadge } from '#components/values/state-badge.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import { caseCountWords, countOf } from '#lib/disputes/queue/case-counts.ts'
import { type EarlierCase, type EarlierCases, earlierCasesWith } from '#lib/disputes/queue/earlier-cases.ts'
import type { ThreadCase } from '#lib/disputes/thread/thread.ts'
import type { Session } from '#lib/session/session.ts'
import { endOf } from '#lib/values/uuid.ts'

/** Cases shown per person. */
const SHOWN = 5

/** Covers only cases that this console has seen. */
export async function EarlierCasesPanel({ session, found }: { session: Session; found: ThreadCase }) {
  const { raisedByUserId, counterpartyUserId } = found
  const [raiser, other] = await Promise.all([
    earlierCasesWith(session, raisedByUserId, found.id),
    earlierCasesWith(session, counterpartyUserId, found.id),
  ])
  if ('notKnown' in raiser) return <NotKnown why={raiser.notKnown} />
  if ('notKnown' in other) return <NotKnown why={other.notKnown} />
  return (
    <SeenBefore>
      <OfOne who="who raised it" userId={raisedByUserId} earlier={raiser} />
      <OfOne who="the other side" userId={counterpartyUserId} earlier={other} />
    </SeenBefore>
  )
}

const SeenBefore = ({ children }: { children: ReactNode }) => (
  <Panel title="Seen before" aside={<span className="text-muted-foreground text-xs">by this console</span>}>
    {children}
  </Panel>
)

const NotKnown = ({ why }: { why: string }) => (
  <SeenBefore>
    <p className="px-3.5 py-2.5 text-attention text-sm">Other cases of the two are not known. {why}</p>
  </SeenBefore>
)

interface OfOneProps {
  who: string
  userId: string
  earlier: EarlierCases
}

function OfOne({ who, userId, earlier: { cases, counts } }: OfOneProps) {
  const words = caseCountWords(counts)
  return (
    <section className="px-3.5 py-2.5 text-sm not-first:border-t">
      <h3 className="flex items-center gap-1.5 text-muted-foreground">
        <IdMark id={userId} />
        <span>
          <span className="mono">{endOf(userId)}</span>, {who}
        </span>
      </h3>
      {countOf(counts) === 0 ? (
        <p>{words}</p>
      ) : (
        <Link
          href={`/disputes?${new URLSearchParams({ status: 'all', party: userId })}`}
          prefetch={false}
          className="figures text-primary underline-offset-4 [white-space:normal] hover:underline"
        >
          {words}
        </Link>
      )}
      {cases.length === 0 ? null : (
        <ul className="mt-1 grid gap-1">
          {cases.slice(0, SHOWN).map((earlier) => (
            <Line key={earlier.id} earlier={earlier} />
          ))}
        </ul>
      )}
    </section>
  )
}

const Line = ({ earlier: { id, status, outcome, role, createdAt } }: { earlier: EarlierCase }) => (
  <li className="flex flex-wrap items-center gap-x-1.5">
    <Link
      href={`/disputes/${id}`}
      prefetch={false}
      className="mono inline-flex items-center gap-1.5 text-primary underline-offset-4 hover:underline"
    >
      <IdMark id={id} />
      {endOf(id)}
    </Link>
    <span className="text-muted-foreground text-xs">
      {role === 'raised-by' ? 'raised' : 'against'}, <Timestamp value={createdAt} as="past" />
    </span>
    <span className="ml-auto">
      {outcome === null ? (
        <StateBadge state={status} of="case" />
      ) : (
        <ServiceName of="resolutionOutcome" name={outcome} />
      )}
    </span>
  </li>
)
