import { cn } from '#components/ui/cn.ts'
import { exactText, isAmount, shownText } from '#lib/values/amount-text.ts'
import type { Currency } from '#lib/values/money.ts'
import { Copyable } from './copyable.tsx'

interface MoneyProps {
  /** Decimal text from the service. */
  amount: string
  currency?: Currency
  className?: string
}

/** A click copies all eight decimal places. */
export function Money({ amount, currency = 'BZD', className }: MoneyProps) {
  if (!isAmount(amount)) return <span className="mono text-danger">{amount} (not readable)</span>
  const exact = exactText(amount)
  return (
    <Copyable
      value={exact}
      hint={`${exact} ${currency}`}
      action="copy with eight places"
      className={cn('figures', className)}
    >
      {shownText(amount)} <span className="font-medium text-[11px] text-muted-foreground">{currency}</span>
    </Copyable>
  )
}
