import { useContext } from 'react'
import { StateBadge } from '#components/values/state-badge.tsx'
import { own } from '#lib/values/own.ts'
import { FactsContext, Pending } from './use-facts.tsx'

/** The transaction's state; nothing where its amount already says why it is not known. */
export function FactState({ reference }: { reference: string }) {
  const fact = own(useContext(FactsContext), reference)
  if (fact === undefined) return <Pending />
  return fact.kind === 'read' ? <StateBadge state={fact.state} /> : <span className="text-muted-foreground">–</span>
}
