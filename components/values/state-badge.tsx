import { Ban, Check, CircleDashed, Clock, Gavel, ShieldAlert, Timer, X } from '#components/ui/icons.tsx'
import { cardStateWords } from '#lib/cards/card-state.ts'
import { terminalStateWords } from '#lib/terminals/terminal-state.ts'
import { transactionStateWords } from '#lib/transactions/transaction.ts'
import { caseLooks, ExplainedBadge, type Looks, type StateStyle, styleIn } from './explained-badge.tsx'

export const StateBadge = ({ state, of = 'transaction' }: { state: string; of?: StateOwner }) => (
  <ExplainedBadge {...stateStyle(state, of)} raw={state} />
)

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
  case: caseLooks,
  terminal: { words: terminalStateWords, icons: { ACTIVE: Check, DISABLED: Ban } },
} as const satisfies Record<string, Looks>

export type StateOwner = keyof typeof looks

export const stateStyle = (state: string, of: StateOwner): StateStyle => styleIn(looks[of], state)
