'use client'

import { Inbox } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { lazy, type ReactNode, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { CommandDialogs } from '#components/command/command-dialogs.tsx'
import { useCommand } from '#components/command/use-command.ts'
import { useWantedAct } from '#components/look-up/wanted-act.ts'
import { Button } from '#components/ui/button.tsx'
import { oldestUnassignedIn, type QueueView } from '#lib/disputes/queue/queue.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import { readQueue } from './queue-requests.ts'

const loadOutcome = () =>
  import('#components/command/command-outcome.tsx').then((it) => ({ default: it.CommandOutcome }))
const CommandOutcome = lazy(loadOutcome)

interface AssignOldestProps {
  /** Whose cases it must not be. */
  userId: string
  /** Beside the button: the head of the page. */
  children: ReactNode
}

/** Assigns the oldest open case that has no assignee to oneself, through the command endpoint, and opens it. */
export function AssignOldest({ userId, children }: AssignOldestProps) {
  const router = useRouter()
  const command = useCommand(null, () => router.refresh())
  const { state } = command
  const [why, setWhy] = useState<string | null>(null)
  const [looking, setLooking] = useState(false)
  const wanted = useRef('')
  const assigned = state.step === 'outcome' && state.command.outcome.class === 'done'
  const open = useEffectEvent(() => router.push(`/disputes/${encodeURIComponent(wanted.current)}`))
  useEffect(() => {
    if (assigned) open()
  }, [assigned])
  const assign = async () => {
    setLooking(true)
    setWhy(null)
    // Who has what is read at this very moment: the page may be half a minute old. What shows the outcome is loaded first:
    // without it a case would be assigned and nothing said of it.
    const [read, shows] = await Promise.all([
      readQueue('OPEN'),
      loadOutcome().then(
        () => true,
        () => false,
      ),
    ])
    setLooking(false)
    if (!read.ok) return setWhy(`${problemWords(read.problem).title}. No case was assigned.`)
    if (read.queue.completeAt === null) {
      return setWhy('Which case is the oldest is not known: the list of open cases could not be read whole.')
    }
    if (!shows) {
      return setWhy('A part of this page could not be loaded, so no case was assigned. Reload the page and try again.')
    }
    const oldest = oldestUnassignedIn(read.queue.rows, userId)
    if (oldest === undefined) return setWhy(noneWords(read.queue))
    wanted.current = oldest.id
    command.prepare('case.assign', { caseId: oldest.id })
  }
  const busy = looking || state.step === 'checking' || assigned
  useWantedAct('assign-oldest', () => void (busy || assign()))
  const fault = command.faults.caseId ?? why
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-4">
        {children}
        <Button className="mb-4.5" disabled={busy} onClick={() => void assign()}>
          <Inbox aria-hidden />
          Assign the oldest to me
        </Button>
      </div>
      <p role="status" className="mb-3 text-attention text-sm empty:hidden">
        {fault}
      </p>
      {state.step === 'idle' || assigned ? null : (
        <div className="mb-4 empty:hidden">
          <Suspense>
            <CommandOutcome command={command} />
          </Suspense>
        </div>
      )}
      <CommandDialogs command={command} />
    </>
  )
}

/** That there is none is known only of everybody's cases, each of them read. */
const noneWords = ({ adminView, unreadable }: QueueView): string =>
  adminView === 'proved' && unreadable === 0
    ? 'No open case is unassigned.'
    : `No open case that you can see is unassigned. ${adminView === 'proved' ? 'Some of the list cannot be read.' : 'Admin view is not proved, so there may be others.'}`
