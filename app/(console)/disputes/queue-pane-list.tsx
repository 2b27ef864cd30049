'use client'

import Link from 'next/link'
import { useSearchParams } from 'next/navigation'
import { useRef, useState } from 'react'
import { CaseAge } from '#components/disputes/case-age.tsx'
import { staleWords } from '#components/service/stale-words.ts'
import { useRowKeys } from '#components/table/use-row-keys.ts'
import { Badge } from '#components/ui/badge.tsx'
import { Button } from '#components/ui/button.tsx'
import { useHydrated } from '#components/ui/use-hydrated.ts'
import { IdMark } from '#components/values/id-mark.tsx'
import { TabStop, useTabIndex } from '#components/values/tab-stop.ts'
import { ClockTime } from '#components/values/timestamp.tsx'
import { type AdminView, claimKind, type QueueRow, type QueueView } from '#lib/disputes/queue/queue.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import { sameAccount } from '#lib/values/user-id.ts'
import { visibleText } from '#lib/values/visible-text.ts'
import { MarkBadge, Marks } from './mark-badge.tsx'
import { newsWords } from './news-words.ts'
import { CasesNotKnown } from './not-known.tsx'
import { QueueEmpty } from './queue-empty.tsx'
import { QueueSteps } from './queue-steps.tsx'
import { narrowSegment, segments } from './segments.ts'
import { FactAmount, TransactionFacts } from './use-facts.tsx'
import { usePolledQueue } from './use-polled-queue.ts'

/** So many stand here at first; a list of hundreds is worked with on its own page. */
const SHOWN_AT_FIRST = 50

const whose = ['mine', 'unassigned', 'all'] as const
type Whose = (typeof whose)[number]
const words: Readonly<Record<Whose, string>> = { mine: 'Mine', unassigned: 'Unassigned', all: 'Everyone’s' }

interface QueuePaneListProps {
  initial: QueueView
  currentCaseId: string
}

export function QueuePaneList({ initial, currentCaseId }: QueuePaneListProps) {
  const queue = usePolledQueue(initial)
  const query = useSearchParams()
  const hydrated = useHydrated()
  const [chosen, setChosen] = useState<Whose>(whose.find((known) => known === query.get('queue')) ?? 'all')
  const [most, setMost] = useState(SHOWN_AT_FIRST)
  const { rows, latest, news, marks, shownAt, unreadable, problem } = queue
  const of = (wanted: Whose) => (wanted === 'all' ? rows : rows.filter((row) => claimKind(row) === wanted))
  const whole = shownAt !== ''
  // Of a part of the list, or where nobody's assignee is shown, nothing is counted.
  const counts = whole && (rows.length === 0 || rows.some((row) => claimKind(row) !== null))
  const wanted = of(chosen)
  const shown = wanted.slice(0, most)
  // The choice goes along from case to case.
  const hrefOf = (id: string) => `/disputes/${encodeURIComponent(id)}${chosen === 'all' ? '' : `?queue=${chosen}`}`
  return (
    <section aria-label="Open cases" className="flex min-h-0 min-w-0 flex-col">
      <header className="grid grid-cols-[minmax(0,1fr)] gap-2 border-b px-3 py-2.5">
        <div className="flex flex-wrap items-center gap-x-1.5">
          <h2>
            <Link href="/disputes" prefetch={false} className="underline-offset-4 hover:underline">
              Disputes
            </Link>
          </h2>
          {whole ? (
            <>
              <Badge variant="neutral" className="figures">
                {(rows.length + unreadable).toLocaleString('en-US')} open
              </Badge>
              <p className="ml-auto text-[11px] text-muted-foreground">
                complete <ClockTime value={shownAt} />
              </p>
            </>
          ) : null}
        </div>
        <fieldset disabled={!hydrated} className={`${segments} flex-wrap`}>
          <legend className="sr-only">Whose cases</legend>
          {whose.map((option) => (
            <button
              key={option}
              type="button"
              aria-pressed={option === chosen}
              onClick={() => setChosen(option)}
              className={narrowSegment}
            >
              {words[option]}
              {option === 'all' || !counts ? null : <span className="figures font-normal">{of(option).length}</span>}
            </button>
          ))}
        </fieldset>
        <QueueSteps ids={wanted.map(({ id }) => id)} currentCaseId={currentCaseId} hrefOf={hrefOf} />
        <PaneTrouble view={latest} whole={whole} stale={staleWords(problem)} />
        {newsWords(news) === '' ? null : (
          <Button variant="outline" onClick={queue.show} className="figures">
            <span className="text-working">{newsWords(news)}: show</span>
          </Button>
        )}
      </header>
      <TransactionFacts
        references={shown.map(({ reference }) => reference)}
        version={shownAt || latest.list}
        again={latest.completeAt ?? latest.list}
      >
        <Marks value={marks}>
          <PaneItems rows={shown} currentCaseId={currentCaseId} hrefOf={hrefOf} />
        </Marks>
      </TransactionFacts>
      {wanted.length > most ? (
        <div className="p-3.5">
          <Button variant="outline" className="w-full" onClick={() => setMost(most + SHOWN_AT_FIRST)}>
            Show more of {wanted.length.toLocaleString('en-US')}
          </Button>
        </div>
      ) : null}
      {shown.length > 0 ? null : (
        <div className="px-3.5 py-4 text-secondary-foreground text-sm">
          {whole ? (
            <PaneEmpty none={rows.length === 0} chosen={chosen} counts={counts} adminView={latest.adminView} />
          ) : (
            <CasesNotKnown view={latest} what="Which cases are open" />
          )}
        </div>
      )}
    </section>
  )
}

interface PaneEmptyProps {
  /** The list holds no case at all. */
  none: boolean
  chosen: Whose
  /** Whether the assignees are shown to this person. */
  counts: boolean
  adminView: AdminView
}

function PaneEmpty({ none, chosen, counts, adminView }: PaneEmptyProps) {
  if (none) return <QueueEmpty list="OPEN" adminView={adminView} />
  return counts ? emptyWords[chosen] : 'Who the assignees are is not shown to you.'
}

const emptyWords: Readonly<Record<Whose, string>> = {
  mine: 'You are the assignee of none of the open cases.',
  unassigned: 'Each of the open cases has an assignee.',
  all: '',
}

interface PaneItemsProps {
  rows: readonly QueueRow[]
  currentCaseId: string
  hrefOf: (id: string) => string
}

function PaneItems({ rows, currentCaseId, hrefOf }: PaneItemsProps) {
  const list = useRef<HTMLUListElement>(null)
  const ids = rows.map(({ id }) => id)
  const current = ids.find((id) => sameAccount(id, currentCaseId))
  const visited = useRowKeys(list, ids, 'pane')
  return (
    <ul ref={list} data-table className="min-h-0 flex-auto overflow-auto">
      {rows.map((row) => (
        <li key={row.id} data-row={row.id}>
          <TabStop value={row.id === (visited === ids[0] ? (current ?? visited) : visited) ? 'row' : 'none'}>
            <PaneItem row={row} current={row.id === current} href={hrefOf(row.id)} />
          </TabStop>
        </li>
      ))}
    </ul>
  )
}

function PaneItem({ row, current, href }: { row: QueueRow; current: boolean; href: string }) {
  const tabIndex = useTabIndex()
  const { id, reason, reference, createdAt, status, claim } = row
  return (
    <div className="relative border-b hover:bg-background has-[[aria-current]]:bg-accent has-[[aria-current]]:shadow-[inset_2px_0_0_var(--primary)]">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-0.5 px-3 py-2.5">
        <div className="flex items-center gap-2">
          <Link
            href={href}
            prefetch={false}
            tabIndex={tabIndex}
            aria-current={current ? 'page' : undefined}
            className="min-w-0 flex-1 truncate font-semibold text-sm after:absolute after:inset-0"
          >
            <bdi>{reason === '' ? 'No reason given' : visibleText(reason)}</bdi>
          </Link>
          <MarkBadge id={id} />
        </div>
        <div className="flex items-center gap-2.5 text-secondary-foreground text-sm">
          <span className="mono inline-flex shrink-0 items-center gap-1.5 whitespace-nowrap">
            <IdMark id={id} />…{id.slice(-4)}
          </span>
          <CaseAge createdAt={createdAt} status={status} short />
          <span className="min-w-0 truncate text-muted-foreground text-xs">{whoWords(claim)}</span>
          <span className="ml-auto">
            <FactAmount reference={reference} />
          </span>
        </div>
      </div>
    </div>
  )
}

function whoWords(claim: QueueRow['claim']): string {
  if (claim === null || claim === 'hidden') return ''
  return claim.mine ? 'you' : visibleText(claim.name)
}

/** Why the list is not whole, or not of now. */
function PaneTrouble({ view, whole, stale }: { view: QueueView; whole: boolean; stale: string }) {
  const { shortfall, problem } = view
  const why = problem === null ? 'it moved meanwhile' : problemWords(problem).title
  return (
    <p role="status" className="text-attention text-xs empty:hidden">
      {shortfall === null
        ? ''
        : `${whole ? 'Could not be read again' : 'Not complete'}: ${shortfall === 'too-many' ? 'it is too long' : why}.`}
      {stale === '' ? '' : ` ${stale}`}
    </p>
  )
}

/** While the list is on its way. */
export const PaneOutline = () => (
  <section aria-label="Open cases" aria-busy="true" className="grid gap-3 p-3.5">
    <h2>Disputes</h2>
    {Array.from({ length: 6 }, (_, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: outlines are all alike and never change places.
      <span key={at} className="h-9 animate-pulse rounded bg-border" />
    ))}
  </section>
)
