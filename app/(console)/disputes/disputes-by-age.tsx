'use client'

import Link from 'next/link'
import { useEffect } from 'react'
import { announceOpenCases } from '#components/frame/open-cases.ts'
import { classes } from '#components/ui/classes.ts'
import { Panel } from '#components/ui/panel.tsx'
import { Reference } from '#components/values/reference.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import { type AgeId, ageOf, ages, openCount, type QueueRow, type QueueView } from '#lib/disputes/queue/queue.ts'
import { visibleText } from '#lib/values/visible-text.ts'
import { Assignee } from './assignee.tsx'
import { ClockTime } from './clock-time.tsx'
import { FactAmount, TransactionFacts } from './use-facts.tsx'

const OLDEST = 10

const tones: Readonly<Record<AgeId, string>> = {
  day: 'bg-accent',
  three: 'bg-accent',
  week: 'bg-attention',
  older: 'bg-danger',
}

interface DisputesByAgeProps {
  title: string
  /** Open cases, read whole. */
  view: QueueView
}

/** How many open cases are how old, each part a link into the queue, and the oldest ten. */
export function DisputesByAge({ title, view }: DisputesByAgeProps) {
  const { rows, completeAt, unreadable } = view
  const oldest = rows.slice(0, OLDEST)
  const count = rows.length + unreadable
  useEffect(() => announceOpenCases(openCount(view)), [view])
  return (
    <Panel
      title={title}
      aside={
        <span className="figures text-ink-3 text-sm">
          {count.toLocaleString('en-US')} {count === 1 ? 'case' : 'cases'} · complete as of{' '}
          <ClockTime value={completeAt ?? ''} />
        </span>
      }
    >
      {count === 0 ? (
        <p className="px-3.5 py-4 text-ink-2 text-sm">No open cases. Every dispute has been decided.</p>
      ) : (
        <>
          <AgeBars rows={rows} />
          <TransactionFacts references={oldest.map(({ reference }) => reference)} version={completeAt ?? ''}>
            <OldestCases rows={oldest} />
          </TransactionFacts>
        </>
      )}
    </Panel>
  )
}

function AgeBars({ rows }: { rows: readonly QueueRow[] }) {
  const counts = ages.map((age) => ({
    ...age,
    count: rows.filter(({ createdAt }) => ageOf(createdAt, Date.now()) === age.id).length,
  }))
  const most = Math.max(1, ...counts.map(({ count }) => count))
  return (
    <nav aria-label="Open disputes by age" className="grid grid-cols-4 items-end gap-2 px-3.5 pt-3 pb-2">
      {counts.map(({ id, words, count }) => (
        <Link
          key={id}
          href={`/disputes?age=${id}`}
          prefetch={false}
          className="group grid justify-items-stretch gap-1 rounded text-center text-ink-2 text-xs hover:text-ink"
        >
          <span className="figures">
            {count}
            <span className="sr-only"> open</span>
          </span>
          <span
            style={{ height: `${Math.max(2, Math.round((count / most) * 56))}px` }}
            className={classes('block rounded-t-sm group-hover:opacity-80', count === 0 ? 'bg-line' : tones[id])}
          />
          <span className="figures">{words}</span>
        </Link>
      ))}
    </nav>
  )
}

const head = 'h-8 border-line border-b px-2.5 font-[550] text-ink-3 text-xs first:pl-3.5 last:pr-3.5'
const cell = 'h-9 border-line border-b px-2.5 first:pl-3.5 last:pr-3.5 group-last:border-b-0'

const OldestCases = ({ rows }: { rows: readonly QueueRow[] }) => (
  <div className="relative overflow-x-auto">
    <table aria-label="The oldest open disputes" className="w-full border-separate border-spacing-0 text-sm">
      <thead>
        <tr>
          <th scope="col" className={classes(head, 'text-left')}>
            Oldest open
          </th>
          <th scope="col" className={classes(head, 'text-left')}>
            Reason
          </th>
          <th scope="col" className={classes(head, 'text-right max-sm:hidden')}>
            Amount
          </th>
          <th scope="col" className={classes(head, 'text-left max-sm:hidden')}>
            Assignee
          </th>
          <th scope="col" className={classes(head, 'text-right')}>
            Age
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, reason, reference, createdAt, claim }) => (
          <tr key={id} className="group whitespace-nowrap hover:bg-paper">
            <td className={cell}>
              <Reference short value={id} name="Case id" href={`/disputes/${encodeURIComponent(id)}`} />
            </td>
            <td className={classes(cell, 'w-full max-w-0 truncate')}>
              <bdi title={visibleText(reason)}>{visibleText(reason)}</bdi>
            </td>
            <td className={classes(cell, 'text-right max-sm:hidden')}>
              <FactAmount reference={reference} />
            </td>
            <td className={classes(cell, 'max-sm:hidden')}>
              <Assignee claim={claim} />
            </td>
            <td className={classes(cell, 'text-right')}>
              <Timestamp value={createdAt} as="age" />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
