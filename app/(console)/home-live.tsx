'use client'

import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { CommandRow, rowTitle } from '#components/command/command-row.tsx'
import { usedWords } from '#components/command/limit-words.ts'
import { MoreLink, Panel, QuietLink } from '#components/frame/panel.tsx'
import { staleWords } from '#components/service/ask-console.ts'
import { subscribe } from '#components/stream/subscribe.ts'
import { Badge } from '#components/ui/badge.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import { kindWords } from '#lib/activity/kind-words.ts'
import {
  type CommandView,
  type HomeChanges,
  isApprovedView,
  type LimitUse,
  type OpenChanges as Open,
  type WaitingApprovals as Waiting,
} from '#lib/commands/command.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { HomeNumber } from './home-number.tsx'

interface HomeLiveProps {
  initial: HomeChanges
  /** Server-rendered parts, refreshed whenever a change on this page is added or gets a new outcome. */
  numbers: ReactNode
  left: ReactNode
  right: ReactNode
}

export function HomeLive({ initial, numbers, left, right }: HomeLiveProps) {
  const { home, problem } = useHome(initial)
  return (
    <>
      <div className="mb-4 grid gap-4 sm:grid-cols-2 wide:grid-cols-4">
        <AttentionNumber home={home} />
        <WatchedNumber home={home} />
        {numbers}
      </div>
      <div className="grid items-start gap-4 wide:grid-cols-[minmax(0,1fr)_max(18rem,26vw)]">
        <div className="grid min-w-0 gap-4">
          <WaitingApprovals {...home.approvals} />
          <OpenChanges open={home} stale={staleWords(problem)} />
          {left}
        </div>
        <div className="grid min-w-0 gap-4">
          {right}
          <OwnLimits limits={home.limits} />
          <DoneByMe {...home.lately} />
        </div>
      </div>
    </>
  )
}

function useHome(initial: HomeChanges): { home: HomeChanges; problem: Problem | null } {
  const router = useRouter()
  const [home, setHome] = useState(initial)
  const [problem, setProblem] = useState<Problem | null>(null)
  const take = useEffectEvent((now: HomeChanges) => {
    if (standingOf(now) !== standingOf(home)) router.refresh()
    setHome(now)
  })
  useEffect(
    () =>
      subscribe<HomeChanges>('home', (result) => {
        setProblem(result.ok ? null : result.problem)
        if (result.ok) take(result.value)
      }),
    [],
  )
  return { home, problem }
}

/** Compared between updates to decide whether the server-rendered parts need a refresh. */
const standingOf = ({ seen, late, unhandled, unseen, lately }: HomeChanges): string =>
  JSON.stringify([
    [...seen, ...late, ...unhandled, ...lately.changes].map(({ id, outcome }) => [id, outcome.class]),
    unseen,
    lately.count,
  ])

function AttentionNumber({ home }: { home: HomeChanges }) {
  const count = countNeedingAttention(home)
  const byHand = home.unhandled.length + splitOpen(home).unknown.filter(({ settledByHand }) => settledByHand).length
  return (
    <HomeNumber
      title="Needs attention"
      href="/activity?outcome=attention"
      counted={{ value: count, words: count === 0 ? 'Nothing unresolved' : attentionWords(count, byHand) }}
      raised={count > 0}
    />
  )
}

function attentionWords(count: number, byHand: number): string {
  if (byHand === 0) return 'being checked'
  return byHand === count ? 'needs your decision' : `${byHand.toLocaleString('en-US')} of them need your decision`
}

function WatchedNumber({ home }: { home: HomeChanges }) {
  const count = countWatched(home)
  const oldest = splitOpen(home).watched[0]?.sentAt ?? null
  const words =
    count === 0 || oldest === null ? (
      'accepted, not settled yet'
    ) : (
      <>
        oldest <Timestamp value={oldest} as="past" />
      </>
    )
  return <HomeNumber title="In progress" href="/activity?outcome=working" counted={{ value: count, words }} />
}

const DoneByMe = ({ changes, count }: HomeChanges['lately']) => (
  <Panel
    title="Done by me in the last 24 hours"
    aside={<span className="figures text-muted-foreground text-sm">{countWords(count)}</span>}
  >
    {changes.length === 0 ? (
      <p className="px-3.5 py-4 text-secondary-foreground text-sm">No changes in the last 24 hours.</p>
    ) : (
      <ul>
        {changes.map((command) => (
          <CommandRow key={command.id} command={command}>
            <span className="text-muted-foreground">
              <Timestamp value={command.sentAt ?? ''} as="past" />
            </span>
          </CommandRow>
        ))}
      </ul>
    )}
    <MoreLink count={Math.max(0, count - changes.length)} href="/activity?person=me" />
  </Panel>
)

function OwnLimits({ limits }: { limits: readonly LimitUse[] }) {
  if (limits.length === 0) return null
  return (
    <Panel
      title="Your limits in 24 hours"
      aside={
        <QuietLink href="/security/policy" className="text-sm">
          Policy
        </QuietLink>
      }
    >
      <dl className="divide-y text-sm">
        {limits.map((limit) => (
          <div key={keyOf(limit)} className="grid gap-0.5 px-3.5 py-2.5">
            <dt className="text-secondary-foreground">{`${kindWords[limit.kind]}${limit.counting === '' ? '' : `, ${limit.counting}`}`}</dt>
            <dd className="flex flex-wrap items-baseline justify-between gap-x-4">
              <span className="figures">{usedWords(limit)}</span>
              {limit.lessAt === null ? null : (
                <span className="text-muted-foreground">
                  more available <Timestamp value={limit.lessAt} as="ahead" />
                </span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}

const keyOf = ({ kind, counting, sum, count }: LimitUse): string => `${kind} ${counting} ${sum?.limit} ${count?.limit}`

function WaitingApprovals({ toDecide, own, notApproved }: Waiting) {
  if (toDecide.length + own.length + notApproved.length === 0) return null
  return (
    <Panel title="Approvals" meaning={toDecide.length + own.length === 0 ? 'neutral' : 'attention'}>
      <ul>
        {toDecide.map((command) => (
          <Item key={command.id} command={command} href={`/approvals/${command.id}`} word="your decision" />
        ))}
        {own.map((command) => (
          <Item key={command.id} command={command} href={`/activity/${command.id}`} word={ownWord(command)} />
        ))}
        {notApproved.map((command) => (
          <Item key={command.id} command={command} href={`/activity/${command.id}`} word="not approved" />
        ))}
      </ul>
    </Panel>
  )
}

interface ItemProps {
  command: CommandView
  href: string
  word: string
}

const Item = ({ command: { title, actorName, outcome }, href, word }: ItemProps) => (
  <li className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 border-t px-3.5 py-1.5 text-sm first:border-t-0">
    <Badge variant="attention">{word}</Badge>
    <Link href={href} prefetch={false} className={rowTitle}>
      {title}
    </Link>
    <span className="min-w-0 break-words text-muted-foreground">
      {actorName}
      {outcome.class === 'refused' ? `, ${outcome.title}` : null}
      {outcome.class === 'approval' ? (
        <>
          , expires <Timestamp value={outcome.expiresAt} as="ahead" />
        </>
      ) : null}
    </span>
  </li>
)

const ownWord = (command: CommandView): string => (isApprovedView(command) ? 'send it' : 'others decide')

interface OpenChangesProps {
  open: Open
  /** Why the list may be outdated; empty when it is current. */
  stale: string
}

function OpenChanges({ open, stale }: OpenChangesProps) {
  const { unknown, watched } = splitOpen(open)
  // The numbers at the top already show zero, so one panel replaces two empty lists.
  const quiet = countNeedingAttention(open) === 0 && countWatched(open) === 0
  return (
    <div className="grid gap-4" aria-live="polite">
      {stale === '' ? null : (
        <p role="alert" className="text-attention text-sm">
          {stale}
        </p>
      )}
      <List
        title="Needs attention"
        meaning={countNeedingAttention(open) === 0 ? 'neutral' : 'unknown'}
        commands={[...open.late, ...open.unhandled, ...unknown]}
        unseen={open.unseen.unknown + open.unseen.unhandled}
        more={open.more.unknown + open.more.unhandled}
        moreHref="/activity?outcome=attention"
        moreLate={open.more.late}
        empty={quiet ? 'Nothing needs attention, and nothing is in progress.' : 'Nothing needs attention.'}
      />
      {quiet ? null : (
        <List
          title="In progress"
          meaning="neutral"
          commands={watched}
          unseen={open.unseen.accepted}
          more={open.more.accepted}
          moreHref="/activity?outcome=working"
          empty="Nothing is in progress."
        />
      )}
    </div>
  )
}

const needsAttention = ({ outcome, settledByHand }: CommandView): boolean =>
  outcome.class === 'unknown' || (outcome.class === 'accepted' && settledByHand)

/** Splits only the changes that the operator may see. */
const splitOpen = ({ seen }: Open) => ({
  unknown: seen.filter(needsAttention),
  watched: seen.filter((command) => command.outcome.class === 'accepted' && !needsAttention(command)),
})

/** Includes changes that the operator may not see. */
export const countNeedingAttention = (open: Open): number =>
  open.late.length +
  open.unhandled.length +
  splitOpen(open).unknown.length +
  open.unseen.unknown +
  open.unseen.unhandled +
  open.more.unknown +
  open.more.unhandled

/** Includes changes that the operator may not see. */
export const countWatched = (open: Open): number =>
  splitOpen(open).watched.length + open.unseen.accepted + open.more.accepted

interface ListProps {
  title: string
  meaning: 'neutral' | 'unknown'
  commands: readonly CommandView[]
  /** The number of further changes that the operator may not see. */
  unseen: number
  /** The number of changes beyond the read limit, of all operators. */
  more: number
  moreHref: string
  moreLate?: boolean
  empty: string
}

const List = ({ title, meaning, commands, unseen, more, moreHref, moreLate = false, empty }: ListProps) => (
  <Panel
    title={title}
    meaning={meaning}
    aside={<span className="figures text-muted-foreground text-sm">{countWords(commands.length + unseen + more)}</span>}
  >
    {commands.length + unseen === 0 ? (
      <p className="px-3.5 py-4 text-secondary-foreground text-sm">{empty}</p>
    ) : (
      <ul>
        {commands.map((command) => (
          <CommandRow key={command.id} command={command}>
            <span className="min-w-0 break-words text-muted-foreground">
              {command.actorName},{' '}
              <span className="whitespace-nowrap">
                <Timestamp value={command.sentAt ?? ''} as="past" />,
              </span>{' '}
              {lookWords(command)}
            </span>
          </CommandRow>
        ))}
      </ul>
    )}
    {unseen === 0 ? null : (
      <p className="border-t px-3.5 py-2.5 text-secondary-foreground text-sm first:border-t-0">
        {unseen.toLocaleString('en-US')} {unseen === 1 ? 'change' : 'changes'} by others that you cannot see
      </p>
    )}
    <MoreLink count={more} href={moreHref} />
    <MoreLink count={moreLate ? null : 0} href="/activity?outcome=late" />
  </Panel>
)

function lookWords({ outcome, nextReconcileAt, settledByHand }: CommandView): string {
  if (outcome.class === 'done') return 'no effect found before'
  if (settledByHand || !isOpen(outcome)) return 'needs your decision'
  return nextReconcileAt === null ? 'waits for someone with access' : 'being checked'
}

const isOpen = (outcome: CommandView['outcome']): boolean => outcome.class === 'unknown' || outcome.class === 'accepted'

const countWords = (count: number): string => (count === 1 ? '1 change' : `${count.toLocaleString('en-US')} changes`)
