import {
  Ban,
  Check,
  CircleDashed,
  CircleHelp,
  Clock,
  Gavel,
  Hourglass,
  type LucideIcon,
  Scale,
  ShieldAlert,
  Timer,
  X,
} from 'lucide-react'
import { Chip } from '#components/ui/chip.tsx'
import { Hint } from '#components/ui/hint.tsx'
import { cardStateWords } from '#lib/domain/card-state.ts'
import { caseStateWords } from '#lib/domain/case-state.ts'
import type { StateWords } from '#lib/domain/state-words.ts'
import { terminalStateWords } from '#lib/domain/terminal-state.ts'
import { transactionStateWords } from '#lib/domain/transaction-state.ts'

interface Look {
  readonly words: (state: string) => StateWords
  readonly icons: Readonly<Record<string, LucideIcon>>
}

const looks = {
  transaction: {
    words: transactionStateWords,
    icons: {
      QUEUED: Clock,
      PENDING: CircleDashed,
      PROCESSING: Timer,
      DISPUTED: Gavel,
      BLOCKED: ShieldAlert,
      PROCESSED: Check,
      FAIL: X,
    },
  },
  card: { words: cardStateWords, icons: { UNISSUED: CircleDashed, ACTIVE: Check, BLOCKED: Ban } },
  case: { words: caseStateWords, icons: { OPEN: Scale, RESOLVED: Check } },
  terminal: { words: terminalStateWords, icons: { ACTIVE: Check, DISABLED: Ban } },
} as const satisfies Record<string, Look>

interface StateBadgeProps {
  state: string
  /** What it is the state of. */
  of?: keyof typeof looks
}

/** A state: icon and word, with its sentence on hover. One that is not known shows as it came. */
export function StateBadge({ state, of = 'transaction' }: StateBadgeProps) {
  const look: Look = looks[of]
  const { word, meaning, sentence } = look.words(state)
  const Icon = look.icons[state] ?? (meaning === 'working' ? Hourglass : CircleHelp)
  return (
    <Hint text={sentence}>
      <Chip tone={meaning} aria-description={sentence}>
        <Icon aria-hidden />
        {word}
      </Chip>
    </Hint>
  )
}
