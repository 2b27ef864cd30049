import { cn } from '#components/ui/cn.ts'
import { stateStyle } from '#components/values/state-style.ts'
import { Timestamp } from '#components/values/timestamp.tsx'
import { whatCanFollow } from '#lib/transactions/transaction-state.ts'
import type { Meaning } from '#lib/values/state-words.ts'
import { visibleText } from '#lib/values/visible-text.ts'

interface Seen {
  readonly state: string
  /** ISO 8601. */
  readonly firstSeenAt: string
}

interface StatesSeenProps {
  /** The present state, and by which clock it was just read. */
  present: Seen
  /** The transaction's type, as the service gives it. */
  type: string
  /** As `statesSeen` answers: the earliest first; null when the console cannot read its own records. */
  seen: readonly Seen[] | null
}

const dots: Readonly<Record<Meaning, string>> = {
  good: 'bg-good shadow-[0_0_0_3px_var(--good-wash)]',
  working: 'bg-working shadow-[0_0_0_3px_var(--working-wash)]',
  attention: 'bg-attention shadow-[0_0_0_3px_var(--attention-wash)]',
  danger: 'bg-danger shadow-[0_0_0_3px_var(--danger-wash)]',
  unknown: 'bg-unknown shadow-[0_0_0_3px_var(--unknown-wash)]',
  neutral: 'bg-secondary-foreground shadow-[0_0_0_3px_var(--muted)]',
}

/** The states of a transaction as this console saw them, the present one last and strong, and what can happen next. */
export function StatesSeen({ present, type, seen }: StatesSeenProps) {
  const before = (seen ?? []).filter(({ state }) => state !== present.state)
  const now = seen?.find(({ state }) => state === present.state) ?? present
  return (
    <div className="grid gap-2 px-3.5 py-3 text-sm">
      <ol aria-label="States seen by this console" className="grid gap-1">
        {[...before, now].map(({ state, firstSeenAt }) => (
          <SeenLine key={state} state={state} at={firstSeenAt} present={state === present.state} />
        ))}
      </ol>
      <p className="text-muted-foreground text-xs">
        {seen === null
          ? 'Earlier states are not at hand: the console cannot read its own records right now.'
          : 'Each with the time at which this console first saw it. The service keeps states in between to itself.'}
      </p>
      <p className="text-secondary-foreground">{whatCanFollow(present.state, type)}</p>
    </div>
  )
}

function SeenLine({ state, at, present }: { state: string; at: string; present: boolean }) {
  const { word, meaning, icon: Icon } = stateStyle(state, 'transaction')
  return (
    <li aria-current={present ? 'step' : undefined} className="flex min-h-6.5 min-w-0 flex-wrap items-center gap-x-2.5">
      <span aria-hidden className={cn('size-2 shrink-0 rounded-full', present ? dots[meaning] : 'bg-input')} />
      <Icon aria-hidden className="size-3.5 shrink-0 text-muted-foreground" />
      <span className={cn('min-w-0 break-words', present && 'font-semibold')}>{visibleText(word)}</span>
      <span className="ml-auto text-muted-foreground">
        <Timestamp value={at} />
      </span>
    </li>
  )
}
