import { ExplainedBadge } from './explained-badge.tsx'
import { type StateOwner, stateStyle } from './state-style.ts'

interface StateBadgeProps {
  state: string
  of?: StateOwner
}

export function StateBadge({ state, of = 'transaction' }: StateBadgeProps) {
  const { word, meaning, sentence, icon } = stateStyle(state, of)
  return <ExplainedBadge word={word} meaning={meaning} icon={icon} explanation={sentence} raw={state} />
}
