import { ExplainedBadge } from './explained-badge.tsx'
import { type StateOwner, stateStyle } from './state-style.ts'

interface StateBadgeProps {
  state: string
  /** What it is the state of. */
  of?: StateOwner
}

/** A state: icon and word, with its sentence and the service's own name for it on hover. One that is not known shows as it came. */
export function StateBadge({ state, of = 'transaction' }: StateBadgeProps) {
  const { word, meaning, sentence, icon } = stateStyle(state, of)
  return <ExplainedBadge word={word} meaning={meaning} icon={icon} explanation={sentence} raw={state} />
}
