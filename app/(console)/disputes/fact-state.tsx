import { StateBadge } from '#components/values/state-badge.tsx'
import { Fact, Pending } from './facts-of-cases.tsx'

/** Shows a dash when the amount cell already explains why the transaction is unknown. */
export const FactState = ({ reference }: { reference: string }) => (
  <Fact reference={reference}>
    {(fact) => {
      if (fact === undefined) return <Pending width="w-22" />
      return fact.kind === 'read' ? <StateBadge state={fact.state} /> : <span className="text-muted-foreground">–</span>
    }}
  </Fact>
)
