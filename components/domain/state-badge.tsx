import {
  Check,
  CircleDashed,
  CircleHelp,
  Clock,
  Gavel,
  Hourglass,
  type LucideIcon,
  ShieldAlert,
  Timer,
  X,
} from 'lucide-react'
import { Chip } from '#components/ui/chip.tsx'
import { Hint } from '#components/ui/hint.tsx'
import { transactionStateWords } from '#lib/domain/transaction-state.ts'

const icons: Readonly<Record<string, LucideIcon>> = {
  QUEUED: Clock,
  PENDING: CircleDashed,
  PROCESSING: Timer,
  DISPUTED: Gavel,
  BLOCKED: ShieldAlert,
  PROCESSED: Check,
  FAIL: X,
}

/** A transaction's state: icon and word, with its sentence on hover. One that is not known shows as it came. */
export function StateBadge({ state }: { state: string }) {
  const { word, meaning, sentence } = transactionStateWords(state)
  const Icon = icons[state] ?? (meaning === 'working' ? Hourglass : CircleHelp)
  return (
    <Hint text={sentence}>
      <Chip tone={meaning} aria-description={sentence}>
        <Icon aria-hidden />
        {word}
      </Chip>
    </Hint>
  )
}
