import { notFound } from 'next/navigation'
import { Fragment } from 'react'
import { PageHead } from '#components/frame/page-head.tsx'
import { ButtonLink, Panel } from '#components/frame/panel.tsx'
import { readTableState } from '#components/table/table-state.ts'
import { Alert, AlertDescription } from '#components/ui/alert.tsx'
import { Skeleton } from '#components/ui/skeleton.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import type { LimitUse } from '#lib/commands/command.ts'
import { limitUse } from '#lib/commands/policy/gate.ts'
import { amountsBeyondLimit } from '#lib/commands/policy/room.ts'
import { handOversOf } from '#lib/deposits/hand-over.ts'
import type { Session } from '#lib/session/session.ts'
import { stepUpToContinue } from '#lib/statements/confirm-lines.ts'
import { findKeptFile } from '#lib/statements/kept-file.ts'
import { findDiscarded } from '#lib/statements/statement-list.ts'
import { findStatement, type StatementRow } from '#lib/statements/statement-table.ts'
import {
  type LineStatus,
  type LineTotal,
  type LineView,
  lineStatuses,
  lineStatusWords,
} from '#lib/statements/statement-view.ts'
import { readStatement } from '#lib/statements/view.ts'
import { store } from '#lib/store/store.ts'
import { shownAmount } from '#lib/values/amount-text.ts'
import { visibleText } from '#lib/values/text.ts'
import { counted } from '#lib/values/words.ts'
import { TableViews } from '../../../../saved-views/table-views.tsx'
import { PolicyNotes } from '../../../access-notes.tsx'
import { accessPage, RenderWithin, recordShown, startRead } from '../../../page-reads.tsx'
import { Pin } from '../../../recent-things.tsx'
import { DiscardedNotice } from '../discarded-notice.tsx'
import { NEXT_STEP } from './next-step.ts'
import { StatementLines } from './statement-lines.tsx'

const head = { title: 'Statement', lead: 'A bank statement, line by line.' }

const ALL_STATEMENTS = (
  <ButtonLink href="/deposits/statements" variant="outline">
    All statements
  </ButtonLink>
)

export default accessPage({ head, panel: 'Lines, in the order of the file', entry: 'statements.read', read: readPage })

async function readPage(session: Session, query: URLSearchParams, { id }: { id: string }) {
  const { page, size } = readTableState(query).state
  const status = lineStatuses.find((known) => known === query.get('show')) ?? null
  const statement = await findStatement(await store(), id)
  if (statement === undefined || statement.discarded_at !== null) return <Discarded id={id} actor={session.actor} />
  recordShown(session, { kind: 'statement', id }, statement.file_name)
  return (
    <>
      <PageHead
        tab="Statement"
        title={visibleText(statement.file_name)}
        lead={
          <>
            Imported <Timestamp value={statement.taken_at} /> by {visibleText(statement.owner_name)}.
            {statement.left_out === 0 ? '' : ` ${leftOutWords(statement.left_out)}.`}
            <PolicyNotes session={session} kind="deposit.confirm" />
          </>
        }
        action={
          <>
            <Pin session={session} thing={{ kind: 'statement', id }} />
            {ALL_STATEMENTS}
          </>
        }
      />
      {query.get('again') === null ? null : (
        <Alert role="status" variant="working" className="mb-4">
          <AlertDescription>This file was already imported. Nothing was imported twice.</AlertDescription>
        </Alert>
      )}
      <TableViews
        session={session}
        table="statement-lines"
        path={`/deposits/statements/${encodeURIComponent(id)}`}
        query={query}
      >
        <RenderWithin
          content={startRead(readLines({ session, statement, wanted: { status, page, size }, query }))}
          outline={<LinesOutline rows={size} />}
        />
      </TableViews>
    </>
  )
}

interface LinesOptions {
  session: Session
  statement: StatementRow
  wanted: Parameters<typeof readStatement>[1]
  query: URLSearchParams
}

async function readLines({ session, statement, wanted, query }: LinesOptions) {
  const { id, file_name: fileName, owner } = statement
  const read = await readStatement(id, wanted)
  if (read === null) return <Discarded id={id} actor={session.actor} />
  const { work, counts, ready, lines, found, total, totals } = read
  return (
    <>
      <StatementTotals totals={totals} lookedAt={read.lookedAt} />
      {read.closing === null ? null : (
        <ClosingSummary totals={totals} reasons={read.closing} leftOut={statement.left_out} />
      )}
      <StatementLines
        {...{ id, fileName, work, counts, ready, found, total }}
        lines={await withLimits(session, lines)}
        limits={await ownLimits(session)}
        goOn={work.wantsCode ? await stepUpToContinue(session, id) : null}
        reader={session.actor}
        mayDiscard={owner === session.actor}
        arrived={query.get('next') !== null}
      />
      {(await findKeptFile(session, id)) === null ? null : (
        <p className="mt-1 flex flex-wrap items-center gap-2 text-muted-foreground text-xs">
          Columns mapped wrongly?
          <ButtonLink href={`/deposits/statements?again=${encodeURIComponent(id)}`} variant="ghost">
            Map again
          </ButtonLink>
        </p>
      )}
    </>
  )
}

const CONFIRMABLE: readonly LineStatus[] = ['ready', 'by-hand']

async function withLimits(session: Session, lines: readonly LineView[]): Promise<readonly LineView[]> {
  const open = lines.filter(({ status }) => CONFIRMABLE.includes(status))
  const [amounts, references] = [open.map(({ amount }) => amount), open.map(({ sought }) => sought)]
  const [beyond, handOvers] = await Promise.all([
    amountsBeyondLimit(await store(), session, 'deposit.confirm', amounts),
    handOversOf(session, references),
  ])
  return lines.map((line) => {
    if (!open.includes(line)) return line
    const handOver = handOvers.get(line.sought)
    return { ...line, isOverLimit: beyond.has(line.amount), ...(handOver === undefined ? {} : { handOver }) }
  })
}

const ownLimits = async ({ actor }: Session): Promise<readonly LimitUse[]> =>
  (await limitUse(await store(), actor)).filter(({ kind }) => kind === 'deposit.confirm')

/** Answers "not found" unless the statement was discarded and can still be restored. */
async function Discarded({ id, actor }: { id: string; actor: string }) {
  const discarded = await findDiscarded(id)
  if (discarded === null) notFound()
  const { statement, until } = discarded
  return (
    <>
      <PageHead
        tab="Statement"
        title={visibleText(statement.file_name)}
        lead="This statement was discarded. Its confirmed deposits stay confirmed."
        action={ALL_STATEMENTS}
      />
      <Panel title="Discarded">
        <div className="px-3.5 pt-2 pb-3.5">
          <DiscardedNotice id={id} by={statement.discarded_by ?? ''} until={until} yours={statement.owner === actor} />
        </div>
      </Panel>
    </>
  )
}

const LinesOutline = ({ rows }: { rows: number }) => (
  <div aria-busy="true">
    <div className="mb-3 flex min-h-15 items-center gap-8 rounded-lg border bg-card px-3.5 py-2.5">
      {['ready', 'mismatched', 'done', 'looked up'].map((part) => (
        <Skeleton key={part} className="h-2.5 w-28" />
      ))}
    </div>
    <p role="status" className="mb-3 min-h-8 text-secondary-foreground text-sm">
      Reading the lines
    </p>
    <Panel title="Lines, in the order of the file" className="overflow-clip" aria-hidden>
      {Array.from({ length: rows }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: outlines are all alike and never change places.
        <span key={at} className="flex h-9 items-center gap-10 border-b px-3.5">
          <Skeleton className="h-2.5 w-6" />
          <Skeleton className="h-2.5 w-40" />
          <Skeleton className="h-2.5 w-20" />
          <Skeleton className="h-2.5 w-32" />
        </span>
      ))}
    </Panel>
  </div>
)

interface ClosingSummaryProps {
  totals: readonly LineTotal[]
  reasons: readonly { readonly reason: string; readonly count: number }[]
  /** Entries of the file that are not imported. */
  leftOut: number
}

/** Shown once no line needs work any more. */
function ClosingSummary({ totals, reasons, leftOut }: ClosingSummaryProps) {
  const of = (status: LineTotal['status']) => totals.filter((total) => total.status === status)
  const title = totals.length === 0 ? 'No incoming payments' : 'All lines handled'
  return (
    <Panel
      title={title}
      meaning="good"
      tabIndex={-1}
      aria-label={title}
      {...{ [NEXT_STEP]: 'closing' }}
      className="mb-3"
    >
      <dl className="grid gap-x-6 gap-y-2 px-3.5 py-2.5 text-sm sm:grid-cols-[auto_1fr]">
        <dt className="text-muted-foreground">Confirmed</dt>
        <dd>
          <TotalOf totals={of('done')} />
        </dd>
        <dt className="text-muted-foreground">Set aside</dt>
        <dd>
          <TotalOf totals={of('set-aside')} />
          <ul className="mt-0.5 text-secondary-foreground">
            {reasons.map(({ reason, count }) => (
              <li key={reason} className="break-words">
                {counted(count, 'line')}: {visibleText(reason)}
              </li>
            ))}
          </ul>
        </dd>
        <dt className="text-muted-foreground">Left</dt>
        <dd>No lines left.{leftOut === 0 ? '' : ` ${leftOutWords(leftOut)}.`}</dd>
      </dl>
    </Panel>
  )
}

const leftOutWords = (leftOut: number): string =>
  `${counted(leftOut, 'entry', 'entries')} skipped: only booked incoming payments are imported`

const shown = ['ready', 'mismatched', 'done'] as const satisfies readonly LineStatus[]

/** `lookedAt`: the time of the oldest lookup (ISO 8601). */
const StatementTotals = ({ totals, lookedAt }: { totals: readonly LineTotal[]; lookedAt: string | null }) => (
  <dl className="mb-3 flex flex-wrap gap-x-8 gap-y-2 rounded-lg border bg-card px-3.5 py-2.5 text-sm">
    {shown.map((status) => (
      <div key={status}>
        <dt className="text-muted-foreground text-xs">{lineStatusWords[status]}</dt>
        <dd className="min-h-6 leading-6">
          <TotalOf totals={totals.filter((total) => total.status === status)} />
        </dd>
      </div>
    ))}
    <div>
      <dt className="text-muted-foreground text-xs">Last looked up</dt>
      <dd className="flex min-h-6 items-center">
        {lookedAt === null ? 'not looked up yet' : <Timestamp value={lookedAt} as="past" />}
      </dd>
    </div>
  </dl>
)

/** Sums are per currency and never added across currencies. */
function TotalOf({ totals }: { totals: readonly LineTotal[] }) {
  const count = totals.reduce((sum, total) => sum + total.count, 0)
  return (
    <>
      {counted(count, 'line')}
      {totals.map(({ currency, sum }) => (
        <Fragment key={currency}>
          {' '}
          <span className="figures ml-1 font-semibold">
            {shownAmount(sum)}{' '}
            <span className="font-medium text-[11px] text-muted-foreground">{visibleText(currency)}</span>
          </span>
        </Fragment>
      ))}
    </>
  )
}
