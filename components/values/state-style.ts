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
import { cardStateWords } from '#lib/cards/card-state.ts'
import { caseStateWords } from '#lib/disputes/case-state.ts'
import { terminalStateWords } from '#lib/terminals/terminal-state.ts'
import { transactionStateWords } from '#lib/transactions/transaction-state.ts'
import { own } from '#lib/values/own.ts'
import type { StateWords } from '#lib/values/state-words.ts'

interface Looks {
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
} as const satisfies Record<string, Looks>

/** What a state can be of. */
export type StateOwner = keyof typeof looks

interface StateStyle extends StateWords {
  readonly icon: LucideIcon
}

/** One icon, one word and one meaning for each state, wherever it is shown. One that is not known shows as it came. */
export function stateStyle(state: string, of: StateOwner): StateStyle {
  const { words, icons }: Looks = looks[of]
  const known = words(state)
  return { ...known, icon: own(icons, state) ?? (known.meaning === 'working' ? Hourglass : CircleHelp) }
}
