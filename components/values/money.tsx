import { exactText, isAmount, shownText } from '#lib/values/amount-text.ts'
import { Copyable } from './copyable.tsx'
import { Fact } from './facts.tsx'

/** Decimal text from the service. A click copies all eight decimal places. */
export function Money({ amount }: { amount: string }) {
  if (!isAmount(amount)) return <span className="mono text-danger">{amount} (not readable)</span>
  const exact = exactText(amount)
  return (
    <Copyable value={exact} hint={`${exact} BZD`} action="copy with eight places" className="figures">
      {shownText(amount)} <span className="font-medium text-[11px] text-muted-foreground">BZD</span>
    </Copyable>
  )
}

export const MoneyFact = ({ label, value }: { label: string; value: string }) => (
  <Fact label={label}>
    <Money amount={value} />
  </Fact>
)
