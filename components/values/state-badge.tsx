import { Chip } from '#components/ui/chip.tsx'
import { Hint } from '#components/ui/hint.tsx'
import { type StateOwner, stateLook } from './state-look.ts'

interface StateBadgeProps {
  state: string
  /** What it is the state of. */
  of?: StateOwner
}

/** A state: icon and word, with its sentence on hover. One that is not known shows as it came. */
export function StateBadge({ state, of = 'transaction' }: StateBadgeProps) {
  const { word, meaning, sentence, icon: Icon } = stateLook(state, of)
  return (
    <Hint text={sentence}>
      <Chip tone={meaning} aria-description={sentence}>
        <Icon aria-hidden />
        {word}
      </Chip>
    </Hint>
  )
}
