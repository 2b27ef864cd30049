import { Equal, EqualNot } from 'lucide-react'
import { Badge } from '#components/ui/badge.tsx'
import type { AmountComparison as Comparison } from '#lib/deposits/deposit.ts'
import type { Money } from '#lib/values/money.ts'

interface AmountComparisonProps {
  statement: Money | null
  debit: Money | null
  comparison: Comparison | null
}

/** What the bank received beside what the customer announced, large, with what lies between them. */
export function AmountComparison({ statement, debit, comparison }: AmountComparisonProps) {
  return (
    <div className="flex flex-wrap items-end justify-between gap-3.5 px-3.5 pt-2.5 pb-3.5">
      <Figure label="The bank received" money={statement} />
      <div aria-live="polite" className="mb-1.5">
        <Verdict comparison={comparison} />
      </div>
      <Figure label="The customer announced" money={debit} className="sm:text-right" />
    </div>
  )
}

function Figure({ label, money, className }: { label: string; money: Money | null; className?: string }) {
  return (
    <div className={className}>
      <p className="text-muted-foreground text-xs">{label}</p>
      <p className="figures font-semibold text-figure tracking-[-0.02em]">
        {money === null ? '–' : money.toShown()}{' '}
        <span className="font-medium text-[11px] text-muted-foreground tracking-normal">BZD</span>
      </p>
    </div>
  )
}

function Verdict({ comparison }: { comparison: Comparison | null }) {
  if (comparison === null) return null
  if (comparison.match) {
    return (
      <Badge variant="good">
        <Equal aria-hidden />
        Same amount
      </Badge>
    )
  }
  return (
    <Badge variant="attention">
      <EqualNot aria-hidden />
      {comparison.difference.toShown()} BZD {comparison.statementIsMore ? 'too much' : 'missing'}
    </Badge>
  )
}
