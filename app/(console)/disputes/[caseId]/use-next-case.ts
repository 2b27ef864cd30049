import { useRouter } from 'next/navigation'
import { useEffect, useEffectEvent, useState } from 'react'
import type { Command } from '#components/command/use-command.ts'
import type { ThreadCase } from '#lib/disputes/thread/thread.ts'
import { noteArrival, type QueueFilter, queueFilter } from './between-cases.ts'

interface NextCaseOptions {
  readonly found: ThreadCase
  /** The actor for whom the page was rendered; `userId` is that person's id at the service. */
  readonly owner: string
  readonly userId: string | null
  readonly command: Command
}

interface GoOn {
  /** A second way to confirm the resolution. */
  readonly also: { readonly words: string; readonly onChoose: (chosen: boolean) => void }
  /** Progress, or why the next case was not opened; empty when there is nothing to report. */
  readonly words: string
}

/** Opens the next case after a successful resolution, if the operator chose that. Any other outcome stays on screen. */
export function useNextCase({ found, owner, userId, command }: NextCaseOptions): GoOn {
  const router = useRouter()
  const [wanted, setWanted] = useState(false)
  const [words, setWords] = useState('')
  const outcome = command.state.step === 'outcome' ? command.state.command.outcome.class : null
  const done = wanted && outcome === 'done'
  const over = wanted && !done && hasEnded(command.state)
  useEffect(() => {
    if (over) setWanted(false)
  }, [over])
  const open = useEffectEvent(async () => {
    const filter = queueFilter()
    setWords('Opening the next case')
    const loaded = await import('./next-case.ts').catch(() => null)
    if (loaded === null) return setWords('No other case was opened. The console could not be reached.')
    const next = await loaded.nextCaseOf(filter, found, { owner, userId })
    if (next.kind === 'none') return setWords(noneWords[filter])
    if (next.kind === 'not-known') return setWords(`No other case was opened. ${next.why}`)
    noteArrival(next.caseId, found.id)
    router.push(`/disputes/${encodeURIComponent(next.caseId)}${filter === 'all' ? '' : `?queue=${filter}`}`)
  })
  useEffect(() => {
    if (done) void open()
  }, [done])
  return { also: { words: 'Resolve and open the next', onChoose: setWanted }, words }
}

/** The operator cancelled, or the outcome needs attention. */
const hasEnded = ({ step }: Command['state']): boolean =>
  step === 'idle' || step === 'problem' || step === 'unanswered' || step === 'outcome'

const noneWords: Readonly<Record<QueueFilter, string>> = {
  all: 'No other open case is yours or unassigned.',
  mine: 'No other open case is yours.',
  unassigned: 'No other open case is unassigned.',
}
