import { useRouter } from 'next/navigation'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { CommandDialogs } from '#components/command/command-dialogs.tsx'
import { CommandOutcome } from '#components/command/command-outcome.tsx'
import { useCommand } from '#components/command/use-command.ts'
import { askConsole, problemIn } from '#components/service/ask-console.ts'
import type { QueueView } from '#lib/disputes/queue/queue.ts'
import type { Oldest } from '#lib/disputes/queue/queue-view.ts'
import { indexWords } from '#lib/disputes/queue/words.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import type { ReadResult } from './use-current-queue.ts'

interface OldestAssignmentProps {
  /** The number of the operator's requests: each increment starts another assignment. */
  times: number
  onBusy: (busy: boolean) => void
  onFault: (why: string | null) => void
}

export function OldestAssignment({ times, onBusy, onFault }: OldestAssignmentProps) {
  const router = useRouter()
  const command = useCommand(null, () => router.refresh())
  const { state } = command
  const [why, setWhy] = useState<string | null>(null)
  const [looking, setLooking] = useState(true)
  const wanted = useRef('')
  const begun = useRef(0)
  const assigned = state.step === 'outcome' && state.command.outcome.class === 'done'
  const open = useEffectEvent(() => router.push(`/disputes/${encodeURIComponent(wanted.current)}`))
  useEffect(() => {
    if (assigned) open()
  }, [assigned])
  const assign = useEffectEvent(async () => {
    setLooking(true)
    setWhy(null)
    // Reads the oldest case again, because the page may be half a minute old.
    const read = await readOldest()
    setLooking(false)
    if (!read.ok) return setWhy(`${problemWords(read.problem).title}. No case was assigned.`)
    if (read.value.kind === 'none') return setWhy(noneWords(read.value.view))
    const { caseId } = read.value
    wanted.current = caseId
    command.prepare('case.assign', { caseId })
  })
  useEffect(() => {
    if (begun.current === times) return
    begun.current = times
    void assign()
  }, [times])
  const busy = looking || state.step === 'checking' || assigned
  const fault = looking ? null : (command.faults.caseId ?? why)
  const tell = useEffectEvent(() => {
    onBusy(busy)
    onFault(fault)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is told whenever one of the two changes.
  useEffect(() => tell(), [busy, fault])
  return (
    <>
      {state.step === 'idle' || assigned ? null : (
        <div className="mb-4 empty:hidden">
          <CommandOutcome command={command} />
        </div>
      )}
      <CommandDialogs command={command} />
    </>
  )
}

async function readOldest(): Promise<ReadResult<Oldest>> {
  const answer = await askConsole('/api/disputes/oldest')
  if (answer?.status !== 200) return { ok: false, problem: problemIn(answer) }
  return { ok: true, value: (answer.body as { oldest: Oldest }).oldest }
}

/** "None" is certain only if the operator sees all cases and every one of them was readable. */
function noneWords({ adminView, unreadable, index }: QueueView): string {
  if (index.completeAt === null) return `The oldest case is not known yet. ${indexWords(index)}`
  if (adminView === 'proved' && unreadable === 0) return 'No open case is unassigned.'
  return `No open case visible to you is unassigned. ${adminView === 'proved' ? 'Part of the list cannot be read.' : 'Admin view is not confirmed: there may be others.'}`
}
