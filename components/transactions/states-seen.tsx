import { cn } from '#components/ui/cn.ts'
import { stateStyle } from '#components/values/state-badge.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import type { StateReport } from '#lib/transactions/transaction.ts'
import { whatCanFollow } from '#lib/transactions/what-can-follow.ts'
import { visibleText } from '#lib/values/text.ts'
import type { Meaning } from '#lib/values/words.ts'

interface Seen {
  readonly state: string
  /** ISO 8601. */
  readonly firstSeenAt: string
  /** ISO 8601 time from the service, if it gave one. */
  readonly since?: string | null
}

interface StatesSeenProps {
  present: Seen
  type: string
  /** Earliest first; null when the console cannot read its records. */
  seen: readonly Seen[] | null
  reported?: readonly StateReport[]
}

const dots: Readonly<Record<Meaning, string>> = {
  good: 'bg-good shadow-[0_0_0_3px_var(--good-wash)]',
  working: 'bg-working shadow-[0_0_0_3px_var(--working-wash)]',
  attention: 'bg-attention shadow-[0_0_0_3px_var(--attention-wash)]',
  danger: 'bg-danger shadow-[0_0_0_3px_var(--danger-wash)]',
  unknown: 'bg-unknown shadow-[0_0_0_3px_var(--unknown-wash)]',
  neutral: 'bg-secondary-foreground shadow-[0_0_0_3px_var(--muted)]',
}

interface Line {
  readonly state: string
  readonly at: string
  /** The service gave the time. */
  readonly own: boolean
}

/** Oldest first. */
function linesOf({ present, seen, reported = [] }: StatesSeenProps): readonly Line[] {
  const own = reported.map((line) => ({ ...line, own: true }))
  const lineOf = ({ state, firstSeenAt, since = null }: Seen): Line =>
    own.find((line) => line.state === state) ?? { state, at: since ?? firstSeenAt, own: since !== null }
  const lines = (seen ?? []).filter(({ state }) => state !== present.state).map(lineOf)
  // The state ended before this console read the transaction.
  for (const line of own) {
    if (line.state === present.state || lines.some(({ state }) => state === line.state)) continue
    const after = lines.findIndex(({ at }) => Date.parse(at) > Date.parse(line.at))
    lines.splice(after === -1 ? lines.length : after, 0, line)
  }
  const known = seen?.find(({ state }) => state === present.state)
  return [...lines, lineOf({ ...present, ...known, since: present.since ?? known?.since ?? null })]
}

export function StatesSeen(props: StatesSeenProps) {
  const { present, type, seen } = props
  return (
    <div className="grid gap-2 px-3.5 py-3 text-sm">
      <ol aria-label="States seen by this console" className="grid gap-1">
        {linesOf(props).map((line) => (
          <SeenLine key={line.state} line={line} present={line.state === present.state} />
        ))}
      </ol>
      <p className="text-muted-foreground text-xs">
        {seen === null
          ? 'Earlier states cannot be read right now.'
          : '“First seen” is when this console read the state. Other times come from the service. States may be missing.'}
      </p>
      <p className="text-secondary-foreground">{whatCanFollow(present.state, type)}</p>
    </div>
  )
}

function SeenLine({ line: { state, at, own }, present }: { line: Line; present: boolean }) {
  const { word, meaning, icon: Icon } = stateStyle(state, 'transaction')
  return (
    <li aria-current={present ? 'step' : undefined} className="flex min-h-6.5 min-w-0 flex-wrap items-center gap-x-2.5">
      <span aria-hidden className={cn('size-2 shrink-0 rounded-full', present ? dots[meaning] : 'bg-input')} />
      <Icon aria-hidden className="size-3.5 shrink-0 text-muted-foreground" />
      <span className={cn('min-w-0 break-words', present && 'font-semibold')}>{visibleText(word)}</span>
      <span className="ml-auto text-muted-foreground">
        {own ? null : 'first seen '}
        <Timestamp value={at} />
      </span>
    </li>
  )
}
