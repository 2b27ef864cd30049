'use client'

import { Inbox } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { CommandDialogs } from '#components/command/command-dialogs.tsx'
import { loadCommandOutcome } from '#components/command/dialog-scripts.ts'
import { OutcomeOnDemand } from '#components/command/outcome-on-demand.tsx'
import { useCommand } from '#components/command/use-command.ts'
import { useWantedAct } from '#components/look-up/wanted-act.ts'
import { Button } from '#components/ui/button.tsx'
import { indexWords } from '#lib/disputes/queue/index-words.ts'
import type { QueueView } from '#lib/disputes/queue/queue.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import { readOldest } from './queue-requests.ts'

interface AssignOldestProps {
  /** Beside the button: the head of the page. */
  children: ReactNode
}

/** Assigns the oldest open case that has no assignee to oneself, through the command endpoint, and opens it. */
export function AssignOldest({ children }: AssignOldestProps) {
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
    // What shows the outcome is loaded first: without it a case would be assigned and nothing said of it.
    const shows = await loadCommandOutcome().then(
      () => true,
      () => false,
    )
    // Which is the oldest is asked at this very moment: the page may be half a minute old.
    const read = shows ? await readOldest() : null
    setLooking(false)
    if (read === null) {
      return setWhy('A part of this page could not be loaded, so no case was assigned. Reload the page and try again.')
    }
    if (!read.ok) return setWhy(`${problemWords(read.problem).title}. No case was assigned.`)
    if (read.value.kind === 'none') return setWhy(noneWords(read.value.view))
    const { caseId } = read.value
    wanted.current = caseId
    command.prepare('case.assign', { caseId })
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
          <OutcomeOnDemand command={command} />
        </div>
      )}
      <CommandDialogs command={command} />
    </>
  )
}

/** That there is none is known only of everybody's cases, each of them read. */
function noneWords({ adminView, unreadable, index }: QueueView): string {
  if (index.completeAt === null) return `Which case is the oldest is not known. ${indexWords(index)}`
  if (adminView === 'proved' && unreadable === 0) return 'No open case is unassigned.'
  return `No open case that you can see is unassigned. ${adminView === 'proved' ? 'Some of the list cannot be read.' : 'Admin view is not proved, so there may be others.'}`
}
