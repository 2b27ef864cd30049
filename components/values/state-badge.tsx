import { Badge } from '#components/ui/badge.tsx'
import { Hint } from './hint.tsx'
import { type StateOwner, stateStyle } from './state-style.ts'

interface StateBadgeProps {
  state: string
  /** What it is the state of. */
  of?: StateOwner
}

/** A state: icon and word, with its sentence on hover. One that is not known shows as it came. */
export function StateBadge({ state, of = 'transaction' }: StateBadgeProps) {
  const { word, meaning, sentence, icon: Icon } = stateStyle(state, of)
  return (
    <Hint text={sentence}>
      <Badge variant={meaning} aria-description={sentence}>
        <Icon aria-hidden />
        {word}
      </Badge>
    </Hint>
  )
}
