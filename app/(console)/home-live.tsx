'use client'

import { type ReactNode, useState } from 'react'
import { CommandRow } from '#components/command/command-row.tsx'
import { useAssignedCases } from '#components/frame/assigned-cases.tsx'
import { useTopic } from '#components/frame/live-dot.tsx'
import { MoreLink, Panel, QuietLink } from '#components/frame/panel.tsx'
import { staleWords } from '#components/service/ask-console.ts'
import { useAutomaticRefresh } from '#components/service/session-events.ts'
import { useArrived } from '#components/ui/hydrated.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import { kindWords } from '#lib/activity/kind-words.ts'
import type { HomeChanges, LimitUse } from '#lib/commands/command.ts'
import { usedWords } from '#lib/commands/policy/rule-words.ts'
import type { Problem } from '#lib/contract/problem.ts'
import type { EndingHolds } from '#lib/deposits/confirmed-deposits.ts'
import { counted } from '#lib/values/words.ts'
import { type HomeWork, WorkList, type WorkProps } from './work-list.tsx'

interface HomeLiveProps {
  initial: HomeWork
  initialCases: WorkProps['cases']
  holds: EndingHolds
  holdsNow: Promise<EndingHolds>
  statements: WorkProps['statements']
  empty: ReactNode
  /** Server-rendered, refreshed whenever a change on this page is added or gets a new outcome. */
  below: ReactNode
}

export function HomeLive({ initial, initialCases, holds, holdsNow, statements, empty, below }: HomeLiveProps) {
  const { home, problem } = useHome(initial)
  return (
    <div className="grid items-start gap-4 wide:grid-cols-[minmax(0,1fr)_max(18rem,26vw)]">
      <div className="grid min-w-0 gap-4">
        <WorkList
          changes={home}
          cases={useAssignedCases() ?? initialCases}
          holds={useArrived(holdsNow, holds)}
          statements={statements}
          stale={staleWords(problem)}
          empty={empty}
        />
        {below}
      </div>
      <div className="grid min-w-0 gap-4">
        <OwnLimits limits={home.limits} />
        <DoneByMe {...home.lately} />
      </div>
    </div>
  )
}

function useHome(initial: HomeWork): { home: HomeWork; problem: Problem | null } {
  const refresh = useAutomaticRefresh()
  const [home, setHome] = useState(initial)
  const problem = useTopic('home', (now: HomeWork) => {
    if (standingOf(now) !== standingOf(home)) refresh()
    setHome(now)
  })
  return { home, problem }
}

const standingOf = ({ seen, late, unhandled, unseen, lately }: HomeChanges): string =>
  JSON.stringify([
    [...seen, ...late, ...unhandled, ...lately.changes].map(({ id, outcome }) => [id, outcome.class]),
    unseen,
    lately.count,
  ])

const DoneByMe = ({ changes, count }: HomeChanges['lately']) => (
  <Panel
    title="Done by me in the last 24 hours"
    aside={
      count === 0 ? undefined : (
        <span className="figures text-muted-foreground text-sm">{counted(count, 'change')}</span>
      )
    }
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
