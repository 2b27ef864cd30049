'use client'

import { useEffect, useState } from 'react'
import { readOpen } from '#components/command/command-client.ts'
import { CommandRow } from '#components/command/command-row.tsx'
import { Panel } from '#components/frame/panel.tsx'
import { pollInTurn } from '#components/service/poll-in-turn.ts'
import { staleWords } from '#components/service/stale-words.ts'
import { MoreLink } from '#components/values/more-link.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import type { CommandView, OpenChanges as Open } from '#lib/commands/command.ts'
import type { Problem } from '#lib/contract/problem.ts'

const ASK_EVERY_MS = 4_000

/** Everybody's changes whose end is not known, kept up to date while the page is seen. */
export function OpenChanges({ initial }: { initial: Open }) {
  const [open, setOpen] = useState(initial)
  const [problem, setProblem] = useState<Problem | null>(null)
  useEffect(() => {
    let left = false
    const stop = pollInTurn(async () => {
      if (document.visibilityState === 'hidden') return
      const read = await readOpen()
      if (left) return
      setProblem(read.ok ? null : read.problem)
      if (read.ok) setOpen(read.open)
    }, ASK_EVERY_MS)
    return () => {
      left = true
      stop()
    }
  }, [])
  const stale = staleWords(problem)
  const unknown = open.seen.filter(({ outcome }) => outcome.class === 'unknown')
  const watched = open.seen.filter(({ outcome }) => outcome.class === 'accepted')
  return (
    <div className="grid gap-4" aria-live="polite">
      {stale === '' ? null : (
        <p role="alert" className="text-attention text-sm">
          {stale}
        </p>
      )}
      <List
        title="Needs attention"
        meaning={open.late.length + unknown.length + open.unseen.unknown === 0 ? 'neutral' : 'unknown'}
        commands={[...open.late, ...unknown]}
        unseen={open.unseen.unknown}
        more={open.more.unknown}
        moreLate={open.more.late}
        empty="Every change of everyone here has a known end."
      />
      <List
        title="Being watched"
        meaning="neutral"
        commands={watched}
        unseen={open.unseen.accepted}
        more={open.more.accepted}
        empty="No accepted change is waiting to settle."
      />
    </div>
  )
}

interface ListProps {
  title: string
  meaning: 'neutral' | 'unknown'
  commands: readonly CommandView[]
  /** How many more there are that the person may not see. */
  unseen: number
  /** How many more there are than were read, whoever made them. */
  more: number
  /** There are more that showed late. */
  moreLate?: boolean
  empty: string
}

const List = ({ title, meaning, commands, unseen, more, moreLate = false, empty }: ListProps) => (
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
            <span className="text-muted-foreground">
              {command.actorName}, <Timestamp value={command.sentAt ?? ''} as="relative" />, {lookWords(command)}
            </span>
          </CommandRow>
        ))}
      </ul>
    )}
    {unseen === 0 ? null : (
      <p className="border-t px-3.5 py-2.5 text-secondary-foreground text-sm first:border-t-0">
        {unseen.toLocaleString('en-US')} {unseen === 1 ? 'change' : 'changes'} of others, of which your scopes show
        nothing
      </p>
    )}
    <MoreLink count={more} href="/activity?outcome=open" />
    <MoreLink count={moreLate ? null : 0} href="/activity?outcome=late" />
  </Panel>
)

function lookWords({ outcome, nextReconcileAt, settledByHand }: CommandView): string {
  if (outcome.class === 'done') return 'told as without effect before'
  if (settledByHand) return 'needs your decision'
  return nextReconcileAt === null ? 'waits for someone who may look' : 'being checked'
}

const countWords = (count: number): string => (count === 1 ? '1 change' : `${count.toLocaleString('en-US')} changes`)
