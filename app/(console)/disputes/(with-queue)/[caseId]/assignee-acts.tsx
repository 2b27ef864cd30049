import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import type { Command } from '#components/command/command-state.ts'
import { Button } from '#components/ui/button.tsx'
import { usePageKey } from '#components/ui/kbd.tsx'
import { onDemand } from '#components/ui/on-demand.tsx'
import type { Scope } from '#lib/contract/scopes.ts'
import type { CaseWorkspace } from '#lib/disputes/workspace/workspace.ts'
import { shortId } from '#lib/values/ids.ts'

const ReassignDialog = onDemand(
  () => import('./reassign-dialog.tsx').then((it) => it.ReassignDialog),
  ({ onClose }) => onClose,
)
const ExportEvidence = onDemand(() => import('#components/export/export-progress.tsx').then((it) => it.ExportEvidence))
const SnoozeDialog = onDemand(
  () => import('./snooze-dialog.tsx').then((it) => it.SnoozeDialog),
  ({ onClose }) => onClose,
)

export interface AssigneeAct {
  readonly word: string
  readonly key: 'a' | 's' | 'w' | null
  readonly busy: boolean
  /** The scope that the operator lacks; null when the action is allowed. */
  readonly missingScope: Scope | null
  run(): void
}

interface AssigneeActs {
  /** The most frequent action comes first. */
  readonly acts: readonly AssigneeAct[]
  readonly dialog: ReactNode
}

/** Returns no actions until the workspace is known. */
export function useAssigneeActs(caseId: string, workspace: CaseWorkspace | null, command: Command): AssigneeActs {
  const [asking, setAsking] = useState<'reassign' | 'snooze' | null>(null)
  const note = useRef('')
  const { step } = command.state
  const done = step === 'outcome' && command.state.command.outcome.class === 'done'
  const busy = step === 'checking' || step === 'unanswered'
  useEffect(() => {
    if (step === 'outcome' || step === 'problem' || step === 'unanswered') setAsking(null)
    if (done) note.current = ''
  }, [step, done])
  const dialog = (
    <Suspense>
      {asking === 'snooze' ? (
        <SnoozeDialog
          caseId={caseId}
          busy={busy}
          faults={command.faults}
          onSnooze={(until) => command.prepare('case.snooze', { caseId, until })}
          onClose={() => setAsking(null)}
        />
      ) : null}
      {asking === 'reassign' && workspace !== null ? (
        <ReassignDialog
          act="Reassign"
          title={`Reassign case ${shortId(caseId)}`}
          description="The new assignee sees it within seconds and can reassign or unassign it."
          people={workspace.people}
          busy={busy}
          faults={command.faults}
          note={note.current}
          onNote={(typed) => {
            note.current = typed
          }}
          onReassign={(to, added) => command.prepare('case.reassign', { caseId, to, note: added })}
          onClose={() => setAsking(null)}
        />
      ) : null}
    </Suspense>
  )
  const acts = workspace === null ? [] : [...actsOn(workspace), ...watchOf(workspace)]
  const runByKey = (key: AssigneeAct['key']) => {
    const act = acts.find((one) => one.key === key && one.missingScope === null)
    if (!busy) act?.run()
  }
  usePageKey('a', () => runByKey('a'))
  usePageKey('s', () => runByKey('s'))
  usePageKey('w', () => runByKey('w'))
  return { acts, dialog }

  function act(word: string, key: AssigneeAct['key'], run: () => void, missingScope: Scope | null = null): AssigneeAct {
    return { word, key, busy, missingScope, run }
  }

  function watchOf({ open, mayWork, watch }: CaseWorkspace): readonly AssigneeAct[] {
    const watching = watch !== null
    if (!mayWork || !(open || watching)) return []
    const run = () => command.prepare('case.watch', { caseId, watching: !watching })
    return [act(watching ? 'Stop watching' : 'Watch', 'w', run)]
  }

  function actsOn({ claim, me, open, mayWork, snooze }: CaseWorkspace): readonly AssigneeAct[] {
    if (claim === null && !open) return []
    if (!mayWork) return [act('Assign to me', 'a', () => {}, 'core:disputes:resolve')]
    if (claim === null) return [act('Assign to me', 'a', () => command.prepare('case.assign', { caseId }))]
    const from = claim.holder
    if (from !== me) {
      return open ? [act('Reassign to me', 'a', () => command.prepare('case.reassign-to-me', { caseId, from }))] : []
    }
    const unassign = act('Unassign', null, () => command.prepare('case.unassign', { caseId }))
    if (!open) return [unassign]
    const putOff =
      snooze === null
        ? act('Snooze', 's', () => setAsking('snooze'))
        : act('Wake', 's', () => command.prepare('case.wake', { caseId }))
    return [act('Reassign', 'a', () => setAsking('reassign')), putOff, unassign]
  }
}

/** In the menu of a case, which stays open. */
export function EvidenceAct({ caseId }: { caseId: string }) {
  const [isAsked, setAsked] = useState(false)
  const button = (
    <Button variant="outline" onClick={() => setAsked(true)}>
      Export evidence
    </Button>
  )
  return (
    <span data-stays className="grid">
      {isAsked ? (
        // A double click must not meet what is outside the menu.
        <Suspense fallback={button}>
          <ExportEvidence address={`/api/disputes/${caseId}/evidence`} atOnce />
        </Suspense>
      ) : (
        button
      )}
    </span>
  )
}
