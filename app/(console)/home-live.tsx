'use client'

import { useRouter } from 'next/navigation'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { followTopic } from '#components/news/news.ts'
import { staleWords } from '#components/service/stale-words.ts'
import { Timestamp } from '#components/values/timestamp.tsx'
import type { HomeChanges } from '#lib/commands/command.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { DoneByMe } from './done-by-me.tsx'
import { HomeNumber } from './home-number.tsx'
import { countAttention, countWatched, OpenChanges, splitOpen } from './open-changes.tsx'
import { OwnLimits } from './own-limits.tsx'
import { WaitingApprovals } from './waiting-approvals.tsx'

interface HomeLiveProps {
  initial: HomeChanges
  /** Numbers and panels that are read with the page: once anything here moves, they are read again. */
  numbers: ReactNode
  left: ReactNode
  right: ReactNode
}

/** Home: the changes on it are kept up to date while the page is seen. */
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
      followTopic<HomeChanges>('home', (told) => {
        setProblem(told.ok ? null : told.problem)
        if (told.ok) take(told.value)
      }),
    [],
  )
  return { home, problem }
}

/** What moves the rest of the page: which changes there are, and how they stand. */
const standingOf = ({ seen, late, unhandled, unseen, lately }: HomeChanges): string =>
  JSON.stringify([
    [...seen, ...late, ...unhandled, ...lately.changes].map(({ id, outcome }) => [id, outcome.class]),
    unseen,
    lately.count,
  ])

function AttentionNumber({ home }: { home: HomeChanges }) {
  const count = countAttention(home)
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
  return <HomeNumber title="Being watched" href="/activity?outcome=working" counted={{ value: count, words }} />
}
