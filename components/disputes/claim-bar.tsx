'use client'

import { X } from 'lucide-react'
import dynamic from 'next/dynamic'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { CommandDialogs } from '#components/command/command-dialogs.tsx'
import { CommandOutcome } from '#components/command/command-outcome.tsx'
import { type Command, useCommand } from '#components/command/use-command.ts'
import { MissingScope } from '#components/domain/missing-scope.tsx'
import { Button } from '#components/ui/button.tsx'
import type { Problem } from '#lib/contract/problem.ts'
import type { CaseDesk } from '#lib/domain/case-desk.ts'
import { problemWords } from '#lib/domain/problem-words.ts'
import { ClaimWords, OtherViewers } from './claim-words.tsx'
import { useCaseDesk } from './use-case-desk.ts'

const HandOverDialog = dynamic(() => import('./hand-over-dialog.tsx').then((it) => it.HandOverDialog))

/** With whom a case is, who else looks at it, and what a person can do about it: one line, for the head of the thread. */
export function ClaimBar({ caseId }: { caseId: string }) {
  const { desk, problem, refresh } = useCaseDesk(caseId)
  const command = useCommand(null, refresh)
  const acts = useRef<HTMLSpanElement>(null)
  const { step } = command.state
  const refused = command.faults.caseId !== undefined
  useEffect(() => {
    // Somebody else was faster, and is shown.
    if (step === 'told' || refused) refresh()
  }, [step, refused, refresh])
  useFocusKept(acts, desk?.claim?.holder ?? '', step === 'checking')
  return (
    <div className="grid gap-2 text-sm">
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1.5">
        {desk === null ? null : <OtherViewers viewers={desk.viewers} />}
        <span aria-live="polite" className="min-w-0 text-ink-2">
          {desk === null ? null : <ClaimWords desk={desk} />}
        </span>
        <span ref={acts} className="flex flex-wrap gap-2">
          {desk === null ? null : <Acts caseId={caseId} desk={desk} command={command} />}
        </span>
        {problem === null ? null : <NotRead problem={problem} stale={desk !== null} onRetry={refresh} />}
      </div>
      <ClaimOutcome command={command} />
      <CommandDialogs command={command} />
    </div>
  )
}

interface ActsProps {
  caseId: string
  desk: CaseDesk
  command: Command
}

function Acts({ caseId, desk: { claim, me, open, mayWork, people }, command }: ActsProps) {
  const [handing, setHanding] = useState(false)
  const { step } = command.state
  const busy = step === 'checking'
  useEffect(() => {
    if (step === 'told' || step === 'problem') setHanding(false)
  }, [step])
  if (claim === null && !open) return null
  if (!mayWork) return <MissingScope scope="core:disputes:resolve">Take</MissingScope>
  if (claim === null) {
    return (
      <Button disabled={busy} onClick={() => command.prepare('case.claim', { caseId })}>
        Take
      </Button>
    )
  }
  if (claim.holder !== me) {
    if (!open) return null
    return (
      <Button disabled={busy} onClick={() => command.prepare('case.take-over', { caseId, from: claim.holder })}>
        Take over
      </Button>
    )
  }
  return (
    <>
      {open ? (
        <Button disabled={busy} onClick={() => setHanding(true)}>
          Hand over
        </Button>
      ) : null}
      <Button look="quiet" disabled={busy} onClick={() => command.prepare('case.release', { caseId })}>
        Release
      </Button>
      {handing ? (
        <HandOverDialog
          caseId={caseId}
          people={people}
          busy={busy}
          fault={command.faults.to ?? null}
          onHandOver={(to) => command.prepare('case.hand-over', { caseId, to })}
          onClose={() => setHanding(false)}
        />
      ) : null}
    </>
  )
}

/** Nothing while it went as it should: then the line itself says so. */
function ClaimOutcome({ command }: { command: Command }) {
  const { state, faults } = command
  const outcome = state.step === 'told' ? state.command.outcome : null
  if (outcome?.class === 'done') return null
  if (outcome !== null && outcome.class !== 'refused') return <CommandOutcome command={command} />
  if (state.step === 'problem') return <CommandOutcome command={command} />
  const words = outcome === null ? faults.caseId : `${outcome.title}. ${outcome.advice}`
  if (words === undefined) return null
  return (
    <p role="alert" className="flex items-center gap-2 text-attention">
      <span className="min-w-0 break-words">{words}</span>
      {outcome === null ? null : (
        <Button size="icon" look="quiet" aria-label="Dismiss" onClick={command.clear}>
          <X aria-hidden />
        </Button>
      )}
    </p>
  )
}

interface NotReadProps {
  problem: Problem
  /** Something older is shown. */
  stale: boolean
  onRetry: () => void
}

function NotRead({ problem, stale, onRetry }: NotReadProps) {
  const { title } = problemWords(problem)
  if (problem.status === 403) return <span className="text-ink-2">{title}</span>
  return (
    <span role="status" className="flex flex-wrap items-center gap-2 text-attention">
      {stale ? 'This may be old' : 'Who has it is not known'}: {title}
      <Button onClick={onRetry}>Try again</Button>
    </span>
  )
}

/** When one's own act took away the button that had the focus, the next one gets it; nobody else's act moves it. */
function useFocusKept(acts: RefObject<HTMLElement | null>, holder: string, acting: boolean): void {
  const acted = useRef(false)
  useEffect(() => {
    if (acting) acted.current = true
  }, [acting])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new holder brings new buttons.
  useEffect(() => {
    if (!acted.current) return
    acted.current = false
    if (document.activeElement === document.body) acts.current?.querySelector('button')?.focus()
  }, [acts, holder])
}
