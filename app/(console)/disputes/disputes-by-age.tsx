'use client'

import Link from 'next/link'
import { useEffect } from 'react'
import { CaseAge } from '#components/disputes/case-marks.tsx'
import { MoreLink, Panel, QuietLink } from '#components/frame/panel.tsx'
import { announceOpenCases } from '#components/frame/rail-link.tsx'
import { RetryButton } from '#components/service/retry-button.tsx'
import { cn } from '#components/ui/cn.ts'
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '#components/ui/table.tsx'
import { Reference } from '#components/values/reference.tsx'
import { ClockTime } from '#components/values/timestamp.tsx'
import {
  type AgeId,
  ages,
  type ComingFacts,
  type QueueCounts,
  type QueueRow,
  type QueueView,
} from '#lib/disputes/queue/queue.ts'
import { indexWords } from '#lib/disputes/queue/words.ts'
import { visibleText } from '#lib/values/text.ts'
import { counted, formatCount } from '#lib/values/words.ts'
import { FactAmount, FactsOfCases } from './facts-of-cases.tsx'
import { Assignee, CasesNotKnown } from './queue-cells.tsx'

const colours: Readonly<Record<AgeId, string>> = {
  day: 'bg-primary',
  three: 'bg-primary',
  week: 'bg-attention',
  older: 'bg-danger',
}

interface DisputesByAgeProps {
  title: string
  /** Its rows are the oldest open cases. */
  view: QueueView
}

export function DisputesByAge({ title, view, facts }: DisputesByAgeProps & { facts: ComingFacts }) {
  const { rows, unreadable, listed, counts, index } = view
  const { completeAt, shortfall } = index
  useEffect(() => announceOpenCases(view.open), [view])
  return (
    <Panel
      title={title}
      aside={
        <span className="figures text-muted-foreground text-sm">
          {counted(listed, 'case')} · complete as of <ClockTime value={completeAt ?? ''} />
        </span>
      }
    >
      {shortfall === null ? null : (
        <div role="status" className="flex flex-wrap items-center gap-3 px-3.5 pt-3 text-attention text-sm">
          <p className="min-w-56 flex-1">Could not be refreshed. {indexWords(index)}</p>
          <RetryButton />
        </div>
      )}
      {unreadable === 0 ? null : (
        <p className="px-3.5 pt-3 text-attention text-sm">
          The age of {counted(unreadable, 'case')} is not known: the service’s data cannot be read.
        </p>
      )}
      {listed === 0 ? (
        <p className="px-3.5 py-4 text-secondary-foreground text-sm">No open cases.</p>
      ) : (
        <>
          {rows.length === 0 || counts.ages === null ? null : <AgeBars counts={counts.ages} />}
          <FactsOfCases coming={facts}>{rows.length === 0 ? null : <OldestCases rows={rows} />}</FactsOfCases>
          <MoreLink count={listed - rows.length} href="/disputes" />
        </>
      )}
    </Panel>
  )
}

/** For a list that was never read completely, so that no count is known. */
export function OpenDisputesNotKnown({ title, view }: DisputesByAgeProps) {
  useEffect(() => announceOpenCases(view.open), [view])
  return (
    <Panel title={title} meaning="attention">
      <div className="grid gap-2 px-3.5 py-3 text-sm">
        <CasesNotKnown index={view.index} what="The number and age of open cases" />
        <QuietLink href="/disputes">Open disputes</QuietLink>
      </div>
    </Panel>
  )
}

function AgeBars({ counts }: { counts: NonNullable<QueueCounts['ages']> }) {
  const bars = ages.map((age) => ({ ...age, count: counts[age.id] }))
  const most = Math.max(1, ...bars.map(({ count }) => count))
  return (
    <nav aria-label="Open disputes by age" className="grid grid-cols-4 items-end gap-2 px-3.5 pt-3 pb-2">
      {bars.map(({ id, words, count }) => (
        <Link
          key={id}
          href={`/disputes?age=${id}`}
          prefetch={false}
          className="group grid justify-items-stretch gap-1 rounded text-center text-secondary-foreground text-xs hover:text-foreground"
        >
          <span className="figures">
            {formatCount(count)}
            <span className="sr-only"> open</span>
          </span>
          <span
            style={{ height: `${Math.max(2, Math.round((count / most) * 56))}px` }}
            className={cn('block rounded-t-sm group-hover:opacity-80', count === 0 ? 'bg-border' : colours[id])}
          />
          <span className="figures">{words}</span>
        </Link>
      ))}
    </nav>
  )
}

const cell = 'h-9 group-last:border-b-0'

const OldestCases = ({ rows }: { rows: readonly QueueRow[] }) => (
  <div className="@container relative overflow-x-auto [&_[data-assignee]]:max-w-[10ch] [&_[data-until]]:sr-only @max-[480px]:[&_[data-tail]>span]:max-w-[4ch] @max-[480px]:[&_[data-target]>:last-child]:sr-only">
    <Table aria-label="The oldest open disputes">
      <TableHeader>
        <TableRow>
          <TableHead className="text-left">Oldest open</TableHead>
          <TableHead className="text-left">Reason</TableHead>
          <TableHead className="text-right @max-[560px]:hidden">Amount</TableHead>
          <TableHead className="text-left @max-[720px]:hidden">Assignee</TableHead>
          <TableHead className="text-right">Age</TableHead>
        </TableRow>
      </TableHeader>
      <TableBody>
        {rows.map(({ id, reason, reference, createdAt, status, claim }) => (
          <TableRow key={id} className="group whitespace-nowrap hover:bg-background">
            <TableCell className={cell}>
              <Reference short mark value={id} name="Case id" href={`/disputes/${encodeURIComponent(id)}`} />
            </TableCell>
            <TableCell className={cn(cell, 'w-full max-w-0 truncate')}>
              <bdi title={visibleText(reason)}>{visibleText(reason)}</bdi>
            </TableCell>
            <TableCell className={cn(cell, 'text-right @max-[560px]:hidden')}>
              <FactAmount reference={reference} />
            </TableCell>
            <TableCell className={cn(cell, '@max-[720px]:hidden')}>
              <Assignee claim={claim} />
            </TableCell>
            <TableCell className={cn(cell, 'text-right')}>
              <CaseAge createdAt={createdAt} status={status} />
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  </div>
)
