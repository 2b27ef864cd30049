import { classes } from '#components/ui/classes.ts'
import { Copyable } from '#components/ui/copyable.tsx'
import { Money as Amount, type Currency } from '#lib/values/money.ts'

interface MoneyProps {
  /** Decimal text as the service gave it. */
  amount: string
  currency?: Currency
  className?: string
}

/** An amount and, small, its currency. All eight places on hover and focus; a click copies them. */
export function Money({ amount, currency = 'BZD', className }: MoneyProps) {
  const money = Amount.fromWire(amount)
  if (money === null) return <span className="mono text-danger">{amount} (not readable)</span>
  const exact = money.toExact()
  return (
    <Copyable
      value={exact}
      hint={`${exact} ${currency}`}
      action="copy with eight places"
      className={classes('figures', className)}
    >
      {money.toShown()}
      <span className="ml-1 font-medium text-[11px] text-ink-3">{currency}</span>
    </Copyable>
  )
}
