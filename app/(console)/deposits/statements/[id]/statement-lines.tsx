'use client'

import { Suspense, useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { StepUpDialog } from '#components/command/command-dialogs.tsx'
import { saveFile } from '#components/export/receive-export.ts'
import { EmptyRows } from '#components/frame/panel.tsx'
import { useAutomaticRefresh, useSessionBack } from '#components/service/session-events.ts'
import { DataTable } from '#components/table/data-table.tsx'
import { AddressLink, type TableAddress, useTableAddress } from '#components/table/table-address.tsx'
import { usePageTable } from '#components/table/use-table.ts'
import { Button } from '#components/ui/button.tsx'
import { useHydrated } from '#components/ui/hydrated.tsx'
import { Download } from '#components/ui/icons.tsx'
import { onDemand } from '#components/ui/on-demand.tsx'
import type { LimitUse, StepUpOutcome } from '#lib/commands/command.ts'
import type { LineCounts, LineView, StatementWork } from '#lib/statements/statement-view.ts'
import { isHandled, type LineStatus, lineStatuses, lineStatusWords } from '#lib/statements/statement-view.ts'
import type { StatementPage } from '#lib/statements/view.ts'
import { shownAmount } from '#lib/values/amount-text.ts'
import { counted, formatCount } from '#lib/values/words.ts'
import {
  readResults,
  type StatementFailure,
  type StatementReply,
  startMatching,
  stopWork,
} from '../statement-requests.ts'
import type { DiscardDialogProps } from './discard-dialog.tsx'
import { lineColumns } from './line-columns.tsx'
import { findStep, focusNext, isFocusLost, NEXT_STEP } from './next-step.ts'
import {
  type ConfirmRun,
  canRefreshAfter,
  type LineActs,
  useConfirmRun,
  useLineActs,
  useWork,
  withoutSessionOver,
} from './use-line-acts.ts'
import { AcceptFound, WorkStrip } from './work-strip.tsx'

const ADDRESSABLE = { sortable: [], filterable: ['show'] }
const rowId = ({ number }: LineView): string => String(number)

interface StatementLinesProps {
  id: string
  fileName: string
  work: StatementWork
  goOn: StepUpOutcome | null
  counts: LineCounts
  ready: StatementPage['ready']
  lines: readonly LineView[]
  found: number
  limits: readonly LimitUse[]
  /** The number of filtered lines on all pages. */
  total: number
  reader: string
  mayDiscard: boolean
  /** The operator has just imported or restored this statement. */
  arrived: boolean
}

/** A confirmation run continues on the server when this page is closed. */
export function StatementLines(props: StatementLinesProps) {
  const { id, counts, ready, lines, total } = props
  const refresh = useAutomaticRefresh()
  const address = useTableAddress('of the service', ADDRESSABLE)
  const { work, busy } = useWork(id, { work: props.work, open: counts.open ?? 0 })
  const [failure, setFailure] = useState<StatementFailure | null>(null)
  useSessionBack(() => setFailure(withoutSessionOver))
  // A later run shows what became of an unanswered request.
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked whenever a run begins.
  useEffect(() => setFailure((now) => (now?.cause === 'unanswered' ? null : now)), [work.run])
  const nextStep = useNextStep(lines, { work: work.work, busy }, props.arrived)
  const acts = useLineActs(id, nextStep)
  const rows = useMemo(() => lines.map((value) => ({ readable: true, value }) as const), [lines])
  const columns = useMemo(() => lineColumns(acts), [acts])
  const kit = usePageTable({ name: 'statement-lines', columns, reading: { kind: 'rows', rows, total }, address, rowId })
  const download = async (status: LineStatus | null) => {
    const results = await readResults(id, status)
    setFailure(results.ok ? null : results)
    if (results.ok) saveFile(results.value.name, [results.value.text])
  }
  const take = (reply: StatementReply<unknown>) => {
    setFailure(reply.ok ? null : reply)
    if (canRefreshAfter(reply)) refresh()
  }
  const confirmRun = useConfirmRun({
    id,
    ready: { ...ready, byHand: counts['by-hand'] ?? 0, limits: props.limits },
    served: props.work,
    work,
    goOn: props.goOn,
    onStarted: take,
  })
  return (
    <>
      <StatusLinks address={address} counts={counts} onDownload={(status) => void download(status)} />
      <DataTable
        kit={kit}
        title="Lines, in the order of the file"
        label="Lines of this statement"
        tools={
          <Tools
            {...props}
            busy={busy}
            onConfirm={confirmRun.open}
            onAccepted={take}
            onDownload={() => void download(null)}
            onLookUp={(scope) => void startMatching(id, scope).then(take)}
          />
        }
        strip={
          <WorkStrip
            dismissalKey={`dismissed run ${props.reader} ${id}`}
            work={work}
            fault={failure?.why ?? acts.fault}
            onStop={() => void stopWork(id, work.run).then(take)}
            onFocusLost={() => nextStep(null)}
          />
        }
        empty={
          <EmptyRows title="No lines here">
            {Object.keys(counts).length === 0
              ? 'The file has no incoming payments.'
              : 'No lines with this status. Choose another list above.'}
          </EmptyRows>
        }
      />
      {props.mayDiscard ? (
        <DiscardStatement
          id={id}
          fileName={props.fileName}
          lines={Object.values(counts).reduce((sum, count) => sum + count, 0)}
          confirmed={counts.done ?? 0}
          blocked={work.work === null ? null : 'Work is in progress: stop it first, or wait.'}
        />
      ) : null}
      <RunDialogs run={confirmRun} blocked={busy || ready.count === 0} />
      <LineDialogs id={id} acts={acts} />
    </>
  )
}

interface ToolsProps extends StatementLinesProps {
  busy: boolean
  onConfirm: () => void
  onAccepted: (reply: StatementReply<unknown>) => void
  onDownload: () => void
  onLookUp: (scope: 'unread' | 'all') => void
}

function Tools({ id, busy, counts, ready: { count }, found, ...rest }: ToolsProps) {
  const { onConfirm, onAccepted, onDownload, onLookUp } = rest
  const unread = counts.unread ?? 0
  return (
    <>
      <Button variant="ghost" onClick={onDownload}>
        <Download aria-hidden />
        <span className="max-sm:sr-only">Results as CSV</span>
      </Button>
      {busy || Object.keys(counts).length === 0 ? null : (
        <Button variant="outline" onClick={() => onLookUp(unread === 0 ? 'all' : 'unread')}>
          {unread === 0 ? 'Look up again' : `Look up ${counted(unread, 'line')}`}
        </Button>
      )}
      {busy || found === 0 ? null : <AcceptFound id={id} found={found} isMain={count === 0} onDone={onAccepted} />}
      <Button {...{ [NEXT_STEP]: 'confirm' }} disabled={busy || count === 0} onClick={onConfirm}>
        Confirm {counted(count, 'ready deposit')}
      </Button>
    </>
  )
}

const DiscardDialog = onDemand(
  () => import('./discard-dialog.tsx').then((it) => it.DiscardDialog),
  ({ onClose }) => onClose,
)

function DiscardStatement({ blocked, ...statement }: Omit<DiscardDialogProps, 'onClose'> & { blocked: string | null }) {
  const hydrated = useHydrated()
  const [asking, setAsking] = useState(false)
  return (
    <p className="mt-3 flex flex-wrap items-center gap-2 text-muted-foreground text-xs">
      {blocked ?? 'Wrong file?'}
      <Button variant="ghost" disabled={!hydrated || blocked !== null} onClick={() => setAsking(true)}>
        Discard this statement
      </Button>
      <Suspense>{asking ? <DiscardDialog {...statement} onClose={() => setAsking(false)} /> : null}</Suspense>
    </p>
  )
}

/** `always` false: the list is shown only while it has lines. */
const lists: readonly (readonly [status: LineStatus, always: boolean])[] = [
  ['ready', true],
  ['by-hand', false],
  ['mismatched', true],
  ['elsewhere', false],
  ['unknown', true],
  ['unread', false],
  ['open', false],
  ['refused', false],
  ['done', true],
  ['set-aside', true],
]

interface StatusLinksProps {
  address: TableAddress
  counts: LineCounts
  onDownload: (status: LineStatus) => void
}

function StatusLinks({ address, counts, onDownload }: StatusLinksProps) {
  const shown = address.state.filters.show ?? ''
  const status = lineStatuses.find((known) => known === shown && counts[known] !== undefined)
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const links = [
    ['', 'All', all] as const,
    ...lists.flatMap(([status, always]) => {
      const count = counts[status] ?? 0
      return always || count > 0 || shown === status ? [[status, lineStatusWords[status], count] as const] : []
    }),
  ]
  return (
    <nav
      aria-label="Lines by status"
      className="mb-3 flex flex-wrap gap-1.5 max-sm:grid max-sm:grid-flow-col max-sm:grid-rows-2 max-sm:justify-start max-sm:overflow-x-auto"
    >
      {links.map(([status, word, count]) => (
        <AddressLink
          key={status}
          address={address}
          change={{ filters: { show: status } }}
          {...{ [NEXT_STEP]: stepOf(status, count) }}
          aria-current={shown === status ? 'page' : undefined}
          className="inline-flex min-h-8 items-center gap-1.5 whitespace-nowrap rounded-full border bg-card px-3 text-secondary-foreground text-sm hover:text-foreground aria-[current]:border-primary aria-[current]:font-semibold aria-[current]:text-foreground"
        >
          {word}
          <span className="figures text-xs">{formatCount(count)}</span>
        </AddressLink>
      ))}
      {status === undefined ? null : (
        <Button variant="ghost" onClick={() => onDownload(status)}>
          <Download aria-hidden />
          {lineStatusWords[status]} as CSV
        </Button>
      )}
    </nav>
  )
}

function stepOf(status: LineStatus | '', count: number): string | undefined {
  if (status === '') return 'lines'
  return count > 0 && status !== 'ready' && status !== 'open' && !isHandled(status) ? 'list' : undefined
}

interface FocusRequest {
  /** Null for the first step on the statement. */
  readonly after: number | null
  /** The lines before the change: focus moves once the page shows different lines. */
  readonly shown: readonly LineView[] | null
  /** Move focus even if another element has it. */
  readonly always: boolean
}

/** Moves focus on arrival, after an action, and when work begins or ends. `lines`: new per server render. */
function useNextStep(
  lines: readonly LineView[],
  { work, busy }: { readonly work: StatementWork['work']; readonly busy: boolean },
  arrived: boolean,
): (after: number | null) => void {
  const request = useRef<FocusRequest | null>(
    arrived ? { after: null, shown: work === null ? null : lines, always: true } : null,
  )
  const before = useRef<StatementWork['work']>(arrived ? null : work)
  const latest = useRef(lines)
  const look = useEffectEvent(() => {
    latest.current = lines
    const began = before.current === null && work !== null
    before.current = work
    if (began && (request.current !== null || isFocusLost(document.activeElement))) {
      request.current ??= { after: null, shown: lines, always: false }
      findStep('work')?.focus()
    }
    const next = request.current
    // Work that has ended is not on the page before its lines are.
    if (busy || next === null || next.shown === lines) return
    request.current = null
    if (next.always || isFocusLost(document.activeElement)) focusNext(lines, next.after)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked whenever the page shows something else.
  useEffect(() => look(), [lines, work, busy])
  return useCallback((after: number | null) => {
    request.current = { after, shown: latest.current, always: true }
  }, [])
}

const ConfirmRunDialog = onDemand(
  () => import('./confirm-run-dialog.tsx').then((it) => it.ConfirmRunDialog),
  ({ onClose }) => onClose,
)

function RunDialogs({ run, blocked }: { run: ConfirmRun; blocked: boolean }) {
  const { state } = run
  if (state.step === 'idle') return null
  const { count, sum } = state.ready
  const what = counted(count, 'deposit')
  const title = `Confirm ${what} of ${shownAmount(sum)} BZD${count === 1 ? '' : ' together'}`
  return (
    <>
      <Suspense>
        {state.step === 'confirming' ? (
          <ConfirmRunDialog
            title={title}
            what={what}
            single={count === 1}
            {...state.ready}
            blocked={blocked}
            hasChanged={run.hasChanged}
            onConfirm={() => void run.start(null)}
            onClose={run.close}
          />
        ) : null}
      </Suspense>
      <Suspense>
        {state.step === 'verifying' ? (
          <StepUpDialog
            title={title}
            stepUp={state.stepUp}
            sending={state.sending}
            onCode={(code) => void run.start(code)}
            onCancel={run.close}
          />
        ) : null}
      </Suspense>
    </>
  )
}

const ConfirmLine = onDemand(() => import('./confirm-line.tsx').then((it) => it.ConfirmLine))
const LineDialog = onDemand(
  () => import('./line-dialog.tsx').then((it) => it.LineDialog),
  ({ acts }) => acts.close,
)

function LineDialogs({ id, acts }: { id: string; acts: LineActs }) {
  const { dialog } = acts
  if (dialog === null) return null
  const { what, line } = dialog
  return (
    <>
      <Suspense>{what === 'confirm' ? <ConfirmLine id={id} dialog={dialog} /> : null}</Suspense>
      <Suspense>
        {what === 'confirm' ? null : <LineDialog key={line.number} acts={acts} dialog={{ what, line }} />}
      </Suspense>
    </>
  )
}
