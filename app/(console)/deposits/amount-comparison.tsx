import { Equal, EqualNot } from 'lucide-react'
import { Badge } from '#components/ui/badge.tsx'
import type { AmountComparison as Comparison } from '#lib/deposits/amounts.ts'
import { shownAmount } from '#lib/values/amount-text.ts'

interface AmountComparisonProps {
  /** Decimal strings; null when there is no amount yet. */
  statement: string | null
  debit: string | null
  /** Null while the amounts have not been compared. */
  comparison: Comparison | null
}

export function AmountComparison({ statement, debit, comparison }: AmountComparisonProps) {
  return (
    <div className="flex flex-wrap items-end justify-between gap-3.5 px-3.5 pt-2.5 pb-3.5">
      <Figure label="The bank received" amount={statement} />
      <div aria-live="polite" className="mb-1.5">
        <Verdict comparison={comparison} />
      </div>
      <Figure label="The customer announced" amount={debit} className="sm:text-right" />
    </div>
  )
}

function Figure({ label, amount, className }: { label: string; amount: string | null; className?: string }) {
  return (
    <div className={className}>
      <p className="text-muted-foreground text-xs">{label}</p>
      <p className="figures font-semibold text-figure tracking-[-0.02em]">
        {amount === null ? '–' : shownAmount(amount)}{' '}
        <span className="font-medium text-[11px] text-muted-foreground tracking-normal">BZD</span>
      </p>
    </div>
  )
}

function Verdict({ comparison }: { comparison: Comparison | null }) {
  if (comparison === null) return null
  if (comparison.match) {
    return (
      <Badge key="match" variant="good">
        <Equal aria-hidden />
        Same amount
      </Badge>
    )
  }
  return (
    <Badge key="difference" variant="attention">
      <EqualNot aria-hidden />
      {shownAmount(comparison.difference)} BZD {comparison.statementIsMore ? 'too much' : 'missing'}
    </Badge>
  )
}
