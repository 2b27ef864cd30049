import { StateBadge } from '#components/values/state-badge.tsx'
import { Fact, Pending } from './facts-of-cases.tsx'

/** The transaction's state; nothing where its amount already says why it is not known. */
export const FactState = ({ reference }: { reference: string }) => (
  <Fact reference={reference}>
    {(fact) => {
      if (fact === undefined) return <Pending width="w-22" />
      return fact.kind === 'read' ? <StateBadge state={fact.state} /> : <span className="text-muted-foreground">–</span>
    }}
  </Fact>
)
