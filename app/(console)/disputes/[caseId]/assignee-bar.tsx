'use client'

import { Eye, X } from 'lucide-react'
import { lazy, type RefObject, Suspense, useEffect, useRef, useState } from 'react'
import { CommandDialogs } from '#components/command/command-dialogs.tsx'
import { CommandOutcome } from '#components/command/command-outcome.tsx'
import { type Command, useCommand } from '#components/command/use-command.ts'
import { MissingScope } from '#components/service/missing-scope.tsx'
import { Button } from '#components/ui/button.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import type { Problem } from '#lib/contract/problem.ts'
import type { CaseWorkspace, Person } from '#lib/disputes/workspace/workspace.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import { visibleText } from '#lib/values/visible-text.ts'
import { useCaseWorkspace } from './use-case-workspace.ts'

const ReassignDialog = lazy(() => import('./reassign-dialog.tsx').then((it) => ({ default: it.ReassignDialog })))

/** With whom a case is, who else looks at it, and what a person can do about it: one line, for the head of the thread. */
export function AssigneeBar({ caseId }: { caseId: string }) {
  const { workspace, problem, refresh } = useCaseWorkspace(caseId)
  const command = useCommand(null, refresh)
  const acts = useRef<HTMLSpanElement>(null)
  const { step } = command.state
  const refused = command.faults.caseId !== undefined
  useEffect(() => {
    // Somebody else was faster, and is shown.
    if (step === 'outcome' || refused) refresh()
  }, [step, refused, refresh])
  useFocusKept(acts, workspace?.claim?.holder ?? '', step === 'checking')
  return (
    <div className="grid gap-2 text-sm">
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1.5">
        {workspace === null ? null : <OtherViewers viewers={workspace.viewers} />}
        <span aria-live="polite" className="min-w-0 text-secondary-foreground">
          {workspace === null ? null : <AssigneeWords workspace={workspace} />}
        </span>
        <span ref={acts} className="flex flex-wrap gap-2">
          {workspace === null ? null : <Acts caseId={caseId} workspace={workspace} command={command} />}
        </span>
        {problem === null ? null : <NotRead problem={problem} stale={workspace !== null} onRetry={refresh} />}
      </div>
      <ClaimOutcome command={command} />
      <CommandDialogs command={command} />
    </div>
  )
}

interface ActsProps {
  caseId: string
  workspace: CaseWorkspace
  command: Command
}

function Acts({ caseId, workspace: { claim, me, open, mayWork, people }, command }: ActsProps) {
  const [reassigning, setReassigning] = useState(false)
  const { step } = command.state
  const busy = step === 'checking' || step === 'unanswered'
  useEffect(() => {
    if (step === 'outcome' || step === 'problem' || step === 'unanswered') setReassigning(false)
  }, [step])
  if (claim === null && !open) return null
  if (!mayWork) return <MissingScope scope="core:disputes:resolve">Assign to me</MissingScope>
  if (claim === null) {
    return (
      <Button variant="outline" disabled={busy} onClick={() => command.prepare('case.assign', { caseId })}>
        Assign to me
      </Button>
    )
  }
  if (claim.holder !== me) {
    if (!open) return null
    return (
      <Button
        variant="outline"
        disabled={busy}
        onClick={() => command.prepare('case.reassign-to-me', { caseId, from: claim.holder })}
      >
        Reassign to me
      </Button>
    )
  }
  return (
    <>
      {open ? (
        <Button variant="outline" disabled={busy} onClick={() => setReassigning(true)}>
          Reassign
        </Button>
      ) : null}
      <Button variant="ghost" disabled={busy} onClick={() => command.prepare('case.unassign', { caseId })}>
        Unassign
      </Button>
      <Suspense>
        {reassigning ? (
          <ReassignDialog
            caseId={caseId}
            people={people}
            busy={busy}
            fault={command.faults.to ?? null}
            onReassign={(to) => command.prepare('case.reassign', { caseId, to })}
            onClose={() => setReassigning(false)}
          />
        ) : null}
      </Suspense>
    </>
  )
}

/** Nothing while it went as it should: then the line itself says so. */
function ClaimOutcome({ command }: { command: Command }) {
  const { state, faults } = command
  const outcome = state.step === 'outcome' ? state.command.outcome : null
  if (outcome?.class === 'done') return null
  if (outcome !== null && outcome.class !== 'refused') return <CommandOutcome command={command} />
  if (state.step === 'problem' || state.step === 'unanswered') return <CommandOutcome command={command} />
  const words = outcome === null ? faults.caseId : `${outcome.title}. ${outcome.advice}`
  if (words === undefined) return null
  return (
    <p role="alert" className="flex items-center gap-2 text-attention">
      <span className="min-w-0 break-words">{words}</span>
      {outcome === null ? null : (
        <Button size="icon" variant="ghost" aria-label="Dismiss" onClick={command.clear}>
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
  if (problem.status === 403) return <span className="text-secondary-foreground">{title}</span>
  return (
    <span role="status" className="flex flex-wrap items-center gap-2 text-attention">
      {stale ? 'This may be old' : 'The assignee is not known'}: {title}
      <Button variant="outline" onClick={onRetry}>
        Try again
      </Button>
    </span>
  )
}

/** When one's own act took away the button that had the focus, the next one gets it; nobody else's act moves it. */
function useFocusKept(acts: RefObject<HTMLElement | null>, holder: string, acting: boolean): void {
  const before = useRef<string | null>(null)
  useEffect(() => {
    if (acting) before.current ??= holder
    // The new holder may be shown before the act is answered; until then the buttons are disabled.
    if (acting || before.current === null || before.current === holder) return
    before.current = null
    if (document.activeElement === document.body) acts.current?.querySelector('button')?.focus()
  }, [acts, holder, acting])
}

/** Who the assignee is, and since when. */
function AssigneeWords({ workspace: { claim, me, open } }: { workspace: CaseWorkspace }) {
  if (claim === null) return open ? 'Unassigned' : null
  const mine = claim.holder === me
  return (
    <span className="flex min-w-0 flex-wrap items-baseline gap-x-1.5">
      <span className="min-w-0 break-words">
        Assignee: <strong className="font-[550] text-foreground">{mine ? 'you' : visibleText(claim.holderName)}</strong>
      </span>
      <span className="text-muted-foreground text-xs">
        since <Timestamp value={claim.since} as="relative" />
      </span>
    </span>
  )
}

const NAMED_MAX = 3

/** Who else has the case open right now; nothing when nobody has. */
function OtherViewers({ viewers }: { viewers: readonly Person[] }) {
  if (viewers.length === 0) return null
  const named = viewers.slice(0, NAMED_MAX).map(({ name }) => visibleText(name))
  const more = viewers.length - named.length
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5 text-secondary-foreground">
      <Eye aria-hidden className="size-4 shrink-0 text-muted-foreground" />
      <span className="min-w-0 break-words">
        Also looking: {named.join(', ')}
        {more > 0 ? ` and ${more} more` : null}
      </span>
    </span>
  )
}
