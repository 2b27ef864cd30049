'use client'

import dynamic from 'next/dynamic'
import type { Command } from './use-command.ts'

const ConfirmDialog = dynamic(() => import('./confirm-dialog.tsx').then((it) => it.ConfirmDialog))
const StepUpDialog = dynamic(() => import('./step-up-dialog.tsx').then((it) => it.StepUpDialog))

/** What a change asks of the person on its way: to confirm it, and to prove who they are. */
export function CommandDialogs({ command, danger = false }: { command: Command; danger?: boolean }) {
  const { state } = command
  if (state.step === 'confirming') {
    return (
      <ConfirmDialog
        key={state.draft.id}
        draft={state.draft}
        sending={state.sending}
        danger={danger}
        onConfirm={command.confirm}
        onCancel={command.cancel}
      />
    )
  }
  if (state.step !== 'verifying') return null
  return (
    <StepUpDialog
      title={state.command.title}
      wanted={state.wanted}
      sending={state.sending}
      onCode={command.verify}
      onCancel={command.cancel}
    />
  )
}
