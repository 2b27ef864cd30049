'use client'

import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import type { Command } from '#components/command/use-command.ts'
import type { Scope } from '#lib/contract/scopes.ts'
import type { CaseWorkspace } from '#lib/disputes/workspace/workspace.ts'

const ReassignDialog = lazy(() => import('./reassign-dialog.tsx').then((it) => ({ default: it.ReassignDialog })))

/** Something that the person can do about who works on a case. */
export interface AssigneeAct {
  readonly word: string
  readonly busy: boolean
  /** Why they cannot; null when they can. */
  readonly missingScope: Scope | null
  run(): void
}

interface AssigneeActs {
  /** The one that is done most comes first. */
  readonly acts: readonly AssigneeAct[]
  readonly dialog: ReactNode
}

/** What can be done about the assignee of a case. Nothing while the workspace is not known. */
export function useAssigneeActs(caseId: string, workspace: CaseWorkspace | null, command: Command): AssigneeActs {
  const [reassigning, setReassigning] = useState(false)
  const { step } = command.state
  const busy = step === 'checking' || step === 'unanswered'
  useEffect(() => {
    if (step === 'outcome' || step === 'problem' || step === 'unanswered') setReassigning(false)
  }, [step])
  const dialog = (
    <Suspense>
      {reassigning && workspace !== null ? (
        <ReassignDialog
          caseId={caseId}
          people={workspace.people}
          busy={busy}
          fault={command.faults.to ?? null}
          onReassign={(to) => command.prepare('case.reassign', { caseId, to })}
          onClose={() => setReassigning(false)}
        />
      ) : null}
    </Suspense>
  )
  return { acts: workspace === null ? [] : actsOn(workspace), dialog }

  function actsOn({ claim, me, open, mayWork }: CaseWorkspace): readonly AssigneeAct[] {
    if (claim === null && !open) return []
    const act = (word: string, run: () => void, missingScope: Scope | null = null) => ({
      word,
      busy,
      missingScope,
      run,
    })
    if (!mayWork) return [act('Assign to me', () => {}, 'core:disputes:resolve')]
    if (claim === null) return [act('Assign to me', () => command.prepare('case.assign', { caseId }))]
    const from = claim.holder
    if (from !== me) {
      return open ? [act('Reassign to me', () => command.prepare('case.reassign-to-me', { caseId, from }))] : []
    }
    const unassign = act('Unassign', () => command.prepare('case.unassign', { caseId }))
    return open ? [act('Reassign', () => setReassigning(true)), unassign] : [unassign]
  }
}
