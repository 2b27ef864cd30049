import { Panel } from '#components/frame/panel.tsx'
import { linesWords } from '#lib/statements/statement-line.ts'
import type { LineTotal } from '#lib/statements/statement-view.ts'
import { visibleText } from '#lib/values/visible-text.ts'
import { NEXT_STEP } from './next-step.ts'
import { leftOutWords, TotalOf } from './statement-totals.tsx'

interface ClosingSummaryProps {
  totals: readonly LineTotal[]
  reasons: readonly { readonly reason: string; readonly count: number }[]
  /** Entries of the file that are not incoming payments. */
  leftOut: number
}

/** Shown once no line needs work any more. */
export function ClosingSummary({ totals, reasons, leftOut }: ClosingSummaryProps) {
  const of = (status: LineTotal['status']) => totals.filter((total) => total.status === status)
  return (
    <Panel
      title="Every line is handled"
      meaning="good"
      tabIndex={-1}
      aria-label="Every line is handled"
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
                {linesWords(count)}: {visibleText(reason)}
              </li>
            ))}
          </ul>
        </dd>
        <dt className="text-muted-foreground">Left</dt>
        <dd>No line waits.{leftOut === 0 ? '' : ` Of the file, ${leftOutWords(leftOut)}.`}</dd>
      </dl>
    </Panel>
  )
}
