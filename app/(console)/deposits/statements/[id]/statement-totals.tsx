import { Fragment } from 'react'
import { Timestamp } from '#components/values/timestamp.tsx'
import type { LineTotal } from '#lib/statements/statement-view.ts'
import { type LineStatus, lineStatusWords, linesWords } from '#lib/statements/statement-view.ts'
import { shownAmount } from '#lib/values/amount-text.ts'
import { visibleText } from '#lib/values/visible-text.ts'

export const leftOutWords = (leftOut: number): string =>
  `${leftOut.toLocaleString('en-US')} ${leftOut === 1 ? 'entry that is no money received was' : 'entries that are no money received were'} left out`

interface StatementTotalsProps {
  totals: readonly LineTotal[]
  /** The time of the oldest lookup among the lines (ISO 8601). */
  lookedAt: string | null
}

const shown = ['ready', 'mismatched', 'done'] as const satisfies readonly LineStatus[]

export function StatementTotals({ totals, lookedAt }: StatementTotalsProps) {
  return (
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
}

/** Sums are per currency and never added across currencies. */
export function TotalOf({ totals }: { totals: readonly LineTotal[] }) {
  return (
    <>
      {linesWords(totals.reduce((sum, { count }) => sum + count, 0))}
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
