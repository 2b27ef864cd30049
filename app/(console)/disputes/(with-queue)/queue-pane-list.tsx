'use client'

import Link from 'next/link'
import { memo, type ReactNode, Suspense, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import {
  AnswerDue,
  CaseAge,
  MarkBadge,
  NoticeMarks,
  QueueMarks,
  ShortTurn,
  UnreadOf,
} from '#components/disputes/case-marks.tsx'
import { ButtonLink, MoreLink } from '#components/frame/panel.tsx'
import { staleWords } from '#components/service/ask-console.ts'
import { useRowKeys } from '#components/table/use-row-keys.ts'
import { Badge } from '#components/ui/badge.tsx'
import { Button } from '#components/ui/button.tsx'
import { useHydrated, useOffScreenReady } from '#components/ui/hydrated.tsx'
import { isPageKey, ShortcutHint, TabStop, useKeyDown, useTabIndex } from '#components/ui/kbd.tsx'
import { onDemand } from '#components/ui/on-demand.tsx'
import { IdMark } from '#components/values/id-mark.tsx'
import { ClockTime } from '#components/values/timestamp.tsx'
import {
  type ComingFacts,
  everyOpenCase,
  placesAround,
  type QueueRow,
  type QueueView,
} from '#lib/disputes/queue/queue.ts'
import { indexWords } from '#lib/disputes/queue/words.ts'
import { sameAccount } from '#lib/values/ids.ts'
import { visibleText } from '#lib/values/text.ts'
import { formatCount } from '#lib/values/words.ts'
import { narrowSegment, segments } from '../class-names.ts'
import { FactAmount, FactsOfCases } from '../facts-of-cases.tsx'
import { queueChangesWords, useCurrentQueue, useReadAhead } from '../use-current-queue.ts'
import { claimOf, type PaneFilter, paneFilters, paneFilterWords, setPaneFilter } from './[caseId]/case-navigation.ts'
import { useCaseId } from './desk.tsx'

const PaneEmpty = onDemand(() => import('../queue-empty.tsx').then((it) => it.PaneEmpty))

interface QueuePaneListProps {
  initial: QueueView
  facts: ComingFacts
  initialFilter: PaneFilter
  initialCaseId: string
}

/** Stays while cases are opened from it. Later renders are ignored, because the stream keeps the first one current. */
export function QueuePaneList(props: QueuePaneListProps) {
  const [{ initial, facts, initialFilter, initialCaseId }] = useState(props)
  const currentCaseId = useCaseId()
  const hydrated = useHydrated()
  const [chosen, setChosen] = useState(initialFilter)
  const [around, setAround] = useState(initialCaseId)
  useEffect(() => setPaneFilter(chosen), [chosen])
  const filter = { ...everyOpenCase, claim: claimOf(chosen) }
  const queue = useCurrentQueue(initial, addressOf(initialFilter, initialCaseId), {
    address: addressOf(chosen, around),
    filter,
    places: placesAround(around),
  })
  const { view, latest, changes, marks, problem } = queue
  const { rows, firstPlace, total, listed, counts } = view
  const pending = queue.pending && view.filter.claim !== filter.claim
  const isAtEdge = isNearEdge(view, currentCaseId)
  useEffect(() => {
    if (isAtEdge) setAround(currentCaseId)
  }, [isAtEdge, currentCaseId])
  const isCurrent = ({ id }: QueueRow) => sameAccount(id, currentCaseId)
  const hasCurrentChanged = !rows.some(isCurrent) && latest.rows.some(isCurrent)
  const showChanges = useEffectEvent(queue.show)
  useEffect(() => {
    if (hasCurrentChanged) showChanges()
  }, [hasCurrentChanged])
  const { completeAt } = view.index
  const more = total - rows.length
  // The chosen filter stays when the operator opens another case.
  const hrefOf = (id: string) => `/disputes/${encodeURIComponent(id)}${chosen === 'all' ? '' : `?queue=${chosen}`}`
  return (
    <section aria-label="Open cases" className="flex min-h-0 min-w-0 flex-col">
      <header className="@container grid grid-cols-[minmax(0,1fr)] gap-2 border-b px-3 py-2.5">
        <div className="flex flex-wrap items-center gap-x-1.5">
          <h2>
            <Link href="/disputes" prefetch={false} className="underline-offset-4 hover:underline">
              Disputes
            </Link>
          </h2>
          {completeAt === null ? null : (
            <>
              <Badge variant="neutral" className="figures">
                {formatCount(listed)} open
              </Badge>
              <p className="ml-auto text-[11px] text-muted-foreground">
                complete <ClockTime value={completeAt} />
              </p>
            </>
          )}
        </div>
        <fieldset disabled={!hydrated} className={`${segments} flex-wrap`}>
          <legend className="sr-only">Assigned to</legend>
          {paneFilters.map((option) => (
            <button
              key={option}
              type="button"
              aria-pressed={option === chosen}
              onClick={() => setChosen(option)}
              className={narrowSegment}
            >
              {paneFilterWords[option]}
              <PaneFilterCount option={option} view={latest} />
            </button>
          ))}
        </fieldset>
        <QueueSteps
          ids={pending ? [] : rows.map(({ id }) => id)}
          firstPlace={firstPlace}
          total={total}
          currentCaseId={currentCaseId}
          hrefOf={hrefOf}
          mayPrefetch={problem === null && latest.index.problem === null}
        />
        <PaneTrouble view={latest} whole={completeAt !== null} stale={staleWords(problem)} />
        {queueChangesWords(changes) === '' ? null : (
          <Button variant="outline" onClick={queue.show} className="figures">
            <span className="text-working">{queueChangesWords(changes)}: show</span>
          </Button>
        )}
      </header>
      <FactsOfCases coming={facts} streamed={queue.facts}>
        <QueueMarks value={marks}>
          <PaneItems rows={pending ? [] : rows} currentCaseId={currentCaseId} hrefOf={hrefOf} />
        </QueueMarks>
      </FactsOfCases>
      {more <= 0 || pending ? null : <MoreLink count={more} href={tableHref(chosen)} />}
      {rows.length > 0 && !pending ? null : (
        <div role="status" className="px-3.5 py-4 text-secondary-foreground text-sm">
          {pending ? (
            'Reading'
          ) : (
            <Suspense fallback="Reading">
              <PaneEmpty view={view} chosen={chosen} shown={counts.claims !== null} />
            </Suspense>
          )}
        </div>
      )}
    </section>
  )
}

/** The query string for the cases around that one. */
function addressOf(chosen: PaneFilter, around: string): string {
  const claim = claimOf(chosen)
  const places = Object.entries(placesAround(around)).map(([name, value]) => [name, String(value)] as const)
  return new URLSearchParams({ ...Object.fromEntries(places), ...(claim === null ? {} : { claim }) }).toString()
}

const EDGE_ROWS = 5

/** Whether the case is not among the rows, or few of its neighbours are. */
export function isNearEdge({ rows, firstPlace, total }: QueueView, caseId: string): boolean {
  const at = rows.findIndex(({ id }) => sameAccount(id, caseId))
  const after = total - (firstPlace - 1 + rows.length)
  return at === -1 || (at < EDGE_ROWS && firstPlace > 1) || (rows.length - at <= EDGE_ROWS && after > 0)
}

const tableHref = (chosen: PaneFilter): string => (chosen === 'all' ? '/disputes' : `/disputes?claim=${chosen}`)

/** There are no counts for a partial list, or when the operator may not see assignees. */
function PaneFilterCount({ option, view: { counts, index } }: { option: PaneFilter; view: QueueView }) {
  const claim = claimOf(option)
  if (claim === null || counts.claims === null || index.completeAt === null) return null
  return <span className="figures @max-[230px]:hidden font-normal">{shortCount(counts.claims[claim])}</span>
}

/** Three filters and their counts share one line. */
const shortCount = (count: number): string =>
  count < 1_000 ? String(count) : `${formatCount(Math.floor(count / 100) / 10)}k`

interface PaneItemsProps {
  rows: readonly QueueRow[]
  currentCaseId: string
  hrefOf: (id: string) => string
}

const ROW_PX = 89
/** At least, of the bar and the pane. */
const HEADS_PX = 100

function PaneItems({ rows, currentCaseId, hrefOf }: PaneItemsProps) {
  const list = useRef<HTMLUListElement>(null)
  const ids = rows.map(({ id }) => id)
  const current = ids.find((id) => sameAccount(id, currentCaseId))
  const visited = useRowKeys(list, ids, 'pane')
  const at = current === undefined ? -1 : ids.indexOf(current)
  const isOffScreenReady = useOffScreenReady()
  const isOnScreen = (place: number) => Math.abs(place - Math.max(at, 0)) * ROW_PX < window.innerHeight - HEADS_PX
  useLayoutEffect(() => {
    const shown = list.current
    if (shown === null || current === undefined || at === -1) return
    // The pane has no height while another tab of the case is shown.
    const observer = new ResizeObserver(() => keepInView(shown, current))
    observer.observe(shown)
    return () => observer.disconnect()
  }, [current, at])
  return (
    <ul ref={list} data-table className="relative min-h-0 flex-auto overflow-auto">
      {rows.map((row, place) => (
        <li key={row.id} data-row={row.id} className="skip-unseen [contain-intrinsic-block-size:auto_89px]">
          <TabStop value={row.id === (visited === ids[0] ? (current ?? visited) : visited) ? 'row' : 'none'}>
            {isOffScreenReady || isOnScreen(place) ? (
              <PaneItem row={row} current={row.id === current} href={hrefOf(row.id)} />
            ) : (
              <div className="h-[89px]" />
            )}
          </TabStop>
        </li>
      ))}
    </ul>
  )
}

export function keepInView(list: HTMLElement, id: string): void {
  const item = list.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`)
  if (item === null) return
  const [top, end] = [item.offsetTop, item.offsetTop + item.offsetHeight]
  if (top >= list.scrollTop && end <= list.scrollTop + list.clientHeight) return
  list.scrollTop = top - (list.clientHeight - item.offsetHeight) / 2
}

/** From case to case only two of them change. */
const PaneItem = memo(function PaneItem({ row, current, href }: { row: QueueRow; current: boolean; href: string }) {
  const tabIndex = useTabIndex()
  const { id, reason, reference, createdAt, status, claim } = row
  return (
    <div className="relative border-b hover:bg-background has-[[aria-current]]:bg-accent has-[[aria-current]]:shadow-[inset_2px_0_0_var(--primary)]">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-0.5 px-3 py-2.5">
        <div className="flex h-6 items-center gap-2">
          <Link
            href={href}
            prefetch={false}
            scroll={false}
            tabIndex={tabIndex}
            aria-current={current ? 'page' : undefined}
            className="min-w-0 flex-1 truncate font-semibold text-sm after:absolute after:inset-0"
          >
            <bdi>{reason === '' ? 'No reason given' : visibleText(reason)}</bdi>
          </Link>
          <NoticeMarks notices={row.notices} short />
          <UnreadOf id={id} listed={row.thread} />
          <MarkBadge id={id} />
        </div>
        <div className={rowLine}>
          <span className="mono inline-flex shrink-0 items-center gap-1.5">
            <IdMark id={id} />…{id.slice(-4)}
          </span>
          <span title={whoWords(claim)} className="min-w-0 flex-1 truncate text-muted-foreground text-xs">
            {whoWords(claim)}
          </span>
          <span className="shrink-0">
            <FactAmount reference={reference} />
          </span>
        </div>
        <div className={rowLine}>
          <span className="min-w-0 flex-1 truncate">
            <CaseAge createdAt={createdAt} status={status} short={row.answerBy !== null && 'icon'} />
          </span>
          <span className="flex shrink-0 text-xs">
            {row.answerBy === null ? <ShortTurn id={id} listed={row.thread} /> : <AnswerDue by={row.answerBy} short />}
          </span>
        </div>
      </div>
    </div>
  )
})

/** Of constant height, so that no row moves when an assignee or a message comes. */
const rowLine = 'flex h-5 items-center gap-2 whitespace-nowrap text-secondary-foreground text-sm'

function whoWords(claim: QueueRow['claim']): string {
  if (claim === null || claim === 'hidden') return ''
  return `${claim.mine ? 'you' : visibleText(claim.name)}${claim.snoozed === undefined ? '' : ', snoozed'}`
}

function PaneTrouble({ view, whole, stale }: { view: QueueView; whole: boolean; stale: string }) {
  const { index } = view
  const words = indexWords(index)
  return (
    <p role="status" className="text-attention text-xs empty:hidden">
      {words === '' ? '' : `${whole ? 'Could not be refreshed' : 'Not complete'}: ${words}`}
      {stale === '' ? '' : ` ${stale}`}
    </p>
  )
}

export const PaneOutline = () => (
  <section aria-label="Open cases" aria-busy="true" className="grid gap-3 p-3.5">
    <h2>Disputes</h2>
    {Array.from({ length: 6 }, (_, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: outlines are all alike and never change places.
      <span key={at} className="h-9 animate-pulse rounded bg-border" />
    ))}
  </section>
)

interface QueueStepsProps {
  /** The filtered cases around the open one, in list order. */
  ids: readonly string[]
  /** The place of the first of `ids` in the whole filtered list, from 1. */
  firstPlace: number
  total: number
  currentCaseId: string
  hrefOf: (id: string) => string
  mayPrefetch: boolean
}

/** The keys `[` and `]` open the previous and the next case. */
function QueueSteps({ ids, firstPlace, total, currentCaseId, hrefOf, mayPrefetch }: QueueStepsProps) {
  const ahead = useReadAhead(currentCaseId)
  const steps = useRef<HTMLElement>(null)
  useKeyDown('window', (event) => {
    if (!'[]'.includes(event.key) || event.repeat || !isPageKey(event)) return
    steps.current?.querySelector<HTMLElement>(`a[aria-keyshortcuts="${event.key}"]`)?.click()
  })
  const at = ids.findIndex((id) => sameAccount(id, currentCaseId))
  // If the open case is not in the list, the next case is the first of the list.
  const [before, after] = [ids[at - 1], ids[at + 1]]
  return (
    <nav
      ref={steps}
      aria-label="Previous and next case"
      className="@container flex min-h-7 items-center justify-between gap-1 text-xs"
    >
      <Step href={before && hrefOf(before)} shortcut="[" prefetch={mayPrefetch && ahead > 1}>
        Previous
      </Step>
      <span className="figures @min-[230px]:block hidden text-muted-foreground">
        {at === -1 ? null : `${formatCount(firstPlace + at)} of ${formatCount(total)}`}
      </span>
      <Step href={after && hrefOf(after)} shortcut="]" prefetch={mayPrefetch && ahead > 0}>
        Next
      </Step>
    </nav>
  )
}

interface StepProps {
  href: string | undefined
  shortcut: string
  prefetch: boolean
  children: ReactNode
}

const Step = ({ href, shortcut, prefetch, children }: StepProps) =>
  href === undefined ? (
    <span />
  ) : (
    <ButtonLink
      href={href}
      prefetch={prefetch}
      scroll={false}
      onClick={focusOutsideCase}
      aria-keyshortcuts={shortcut}
      variant="ghost"
      size="sm"
    >
      {children}
      <ShortcutHint of={shortcut} />
    </ButtonLink>
  )

/** The browser lays out the page once more if a focused element is removed. */
export function focusOutsideCase(): void {
  if (document.activeElement?.closest('[aria-label="Case"]') == null) return
  document.getElementById('main')?.focus({ preventScroll: true })
}
