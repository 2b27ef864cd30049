'use client'

import { createContext, use, useSyncExternalStore } from 'react'
import { DisputeTargetContext, onAssignedCases, useAssignedCases } from '#components/frame/assigned-cases.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { cn } from '#components/ui/cn.ts'
import { listeners, useHydrated } from '#components/ui/hydrated.tsx'
import { AlarmClock, AtSign, Bell, Check, Clock, CornerUpLeft, Hourglass, type Icon } from '#components/ui/icons.tsx'
import { Timestamp, useClockText, useTimeFirst } from '#components/values/timestamp.tsx'
import { type AgeTarget, ageTarget, ageTargetWords } from '#lib/disputes/case-state.ts'
import type { Notice } from '#lib/disputes/queue/queue.ts'
import {
  shortTurnWords,
  type ThreadState,
  type Turn,
  turnWords,
  unreadWords,
} from '#lib/disputes/unread/thread-state.ts'
import { sameAccount } from '#lib/values/ids.ts'
import { formatMoment, formatUtc } from '#lib/values/time.ts'
import { formatCount } from '#lib/values/words.ts'

const looks: Readonly<Record<AgeTarget, readonly [icon: Icon, ink: string]>> = {
  within: [Check, 'text-muted-foreground'],
  nearing: [Hourglass, 'text-attention'],
  over: [AlarmClock, 'text-danger'],
}

interface CaseAgeProps {
  /** ISO 8601, from the service. */
  createdAt: string
  /** Only an open case has a target. */
  status: string
  /** `icon`: the words are left to the hint and to screen readers. */
  short?: boolean | 'icon'
}

export function CaseAge({ createdAt, status, short = false }: CaseAgeProps) {
  const wanted = use(DisputeTargetContext)
  const target = useClockText((nowMs) => ageTarget(createdAt, nowMs, wanted))
  if (status !== 'OPEN') return <Timestamp value={createdAt} as="age" />
  const { word, sentence } = ageTargetWords(target, wanted)
  const [Icon, ink] = looks[target]
  return (
    <Timestamp value={createdAt} as="age" sentence={sentence}>
      <span data-target={target} className={cn('ml-1.5 inline-flex items-baseline gap-1 text-xs', ink)}>
        <Icon aria-hidden className="size-3.5 shrink-0 self-center" />
        {short === 'icon' ? <span className="sr-only">{word}</span> : word}
        <span className={short ? cn('sr-only', short === true && 'min-[1536px]:not-sr-only') : undefined}> target</span>
      </span>
    </Timestamp>
  )
}

export function TurnMark({ turn, short = false }: { turn: Turn; short?: boolean }) {
  const Icon = turn === 'us' ? CornerUpLeft : Hourglass
  return (
    <span
      title={short ? turnWords(turn) : undefined}
      className={cn(
        'inline-flex min-w-0 items-center gap-1.5 [&_svg]:size-3.5 [&_svg]:shrink-0',
        turn === 'us' ? 'text-attention' : 'text-secondary-foreground',
      )}
    >
      <Icon aria-hidden strokeWidth={1.75} />
      <span className="truncate">{short ? shortTurnWords[turn] : turnWords(turn)}</span>
    </span>
  )
}

export const UnreadMark = ({ count }: { count: number }) =>
  count === 0 ? null : (
    <Badge variant="working" className="figures shrink-0" title={unreadWords(count)}>
      <span>
        {formatCount(count)}
        <span data-unread-word> unread</span>
      </span>
    </Badge>
  )

export const noticeWords: Readonly<Record<Notice, string>> = { mentioned: 'Mentioned you', watching: 'Watching' }

/** `short`: as icons alone. */
export const NoticeMarks = ({ notices, short = false }: { notices: readonly Notice[]; short?: boolean }) =>
  notices.map((notice) => {
    const [NoticeIcon, words] = [notice === 'mentioned' ? AtSign : Bell, noticeWords[notice]]
    return notice === 'mentioned' ? (
      <Badge key={notice} variant="attention" className="shrink-0" title={words} icon={NoticeIcon}>
        <span className={short ? 'sr-only' : undefined}>
          <span className="sm:max-[1535px]:sr-only">Mentioned </span>you
        </span>
      </Badge>
    ) : (
      <span key={notice} title={words} className="inline-flex shrink-0 text-muted-foreground">
        <NoticeIcon aria-hidden className="size-3.5" />
        <span className="sr-only">{words}</span>
      </span>
    )
  })

/** By case: the newest message in view. Set in the browser only. */
const seenHere = new Map<string, string>()
/** Cases that a push since has called read. */
const readSince = new Set<string>()
const { listen, tell } = listeners()

/** The sort key of the newest message that this browser tab has shown; empty if it has shown none. */
export const seenInTab = (caseId: string): string => seenHere.get(caseId.toLowerCase()) ?? ''

export function announceSeen(caseId: string, key: string): void {
  if (key <= seenInTab(caseId)) return
  seenHere.set(caseId.toLowerCase(), key)
  readSince.delete(caseId.toLowerCase())
  tell()
}

export function forgetSeen(caseId: string): void {
  seenHere.delete(caseId.toLowerCase())
  tell()
}

/** Forgets what was marked unread in another tab or browser. */
onAssignedCases((own) => {
  for (const { id, thread } of own?.cases ?? []) {
    const newest = thread?.newest
    if (newest === null) readSince.add(id.toLowerCase())
    else if (newest !== undefined && newest <= seenInTab(id) && readSince.has(id.toLowerCase())) forgetSeen(id)
  }
})

export const useSeenInTab = (caseId: string): string =>
  useSyncExternalStore(
    listen,
    () => seenInTab(caseId),
    () => '',
  )

/** Prefers the operator's own cases, which are more current than a list. */
function useThreadState(caseId: string, listed: ThreadState | null): ThreadState | null {
  const seen = useSeenInTab(caseId)
  const known = useAssignedCases()?.cases.find(({ id }) => sameAccount(id, caseId))?.thread ?? listed
  return known === null ? null : withSeen(known, seen)
}

/** Sets unread to 0 if the newest message has been in view since. */
export const withSeen = (thread: ThreadState, seen: string): ThreadState =>
  thread.newest !== null && thread.newest <= seen ? { ...thread, unread: 0, newest: null } : thread

interface TurnProps {
  id: string
  /** The state that came with the list; null while unknown. */
  listed: ThreadState | null
}

export function TurnCell({ id, listed, answerBy }: TurnProps & { answerBy: string | null }) {
  const thread = useThreadState(id, listed)
  return (
    // As wide with an unread mark as without one, so that updates do not move the columns.
    <span
      className={cn(
        'flex min-h-5 items-center gap-2',
        answerBy === null && 'w-[21ch] max-[1535px]:w-[15.75ch] max-sm:w-auto',
      )}
    >
      {answerBy === null ? <TurnOrNone turn={thread?.turn ?? null} /> : <AnswerDue by={answerBy} short />}
      <UnreadMark count={thread?.unread ?? 0} />
    </span>
  )
}

const TurnOrNone = ({ turn }: { turn: Turn | null }) => (turn === null ? '–' : <TurnMark turn={turn} short />)

export function ShortTurn({ id, listed }: TurnProps) {
  const turn = useThreadState(id, listed)?.turn ?? null
  return turn === null ? null : <TurnMark turn={turn} short />
}

export const UnreadOf = ({ id, listed }: TurnProps) => <UnreadMark count={useThreadState(id, listed)?.unread ?? 0} />

const dueWords = { overdue: 'No answer by', due: 'Answer due' } as const

export function AnswerDue({ by, short = false }: { by: string | null; short?: boolean }) {
  const first = useTimeFirst()
  const zone = useHydrated() ? first : 'utc'
  const due = useClockText((nowMs) => (by !== null && Date.parse(by) <= nowMs ? 'overdue' : 'due'))
  const moment = useClockText((nowMs) => (by === null ? '' : formatMoment(by, zone, nowMs)))
  if (by === null) return null
  return (
    <span
      title={formatUtc(by)}
      className={cn(
        'figures inline-flex shrink-0 items-center gap-1 whitespace-nowrap text-xs [&_svg]:size-3.5',
        due === 'overdue' ? 'text-attention' : 'text-secondary-foreground',
      )}
    >
      {short ? null : <Clock aria-hidden strokeWidth={1.75} />}
      {dueWords[due]} {moment}
    </span>
  )
}

/** Since the operator saw the list. */
export type Mark = 'new' | 'changed' | 'gone'

/** Keyed by case id. */
export const QueueMarks = createContext<ReadonlyMap<string, Mark>>(new Map())

const markWords: Readonly<Record<Mark, string>> = { new: 'New', changed: 'Changed', gone: 'Gone' }

export function MarkBadge({ id }: { id: string }) {
  const mark = use(QueueMarks).get(id)
  return mark === undefined ? null : (
    <Badge variant={mark === 'gone' ? 'neutral' : 'working'} className="shrink-0">
      {markWords[mark]}
    </Badge>
  )
}
