'use client'

import dynamic from 'next/dynamic'
import type { ReactNode } from 'react'
import type { Command } from './use-command.ts'

const ConfirmDialog = dynamic(() => import('./confirm-dialog.tsx').then((it) => it.ConfirmDialog))
const StepUpDialog = dynamic(() => import('./step-up-dialog.tsx').then((it) => it.StepUpDialog))

interface CommandDialogsProps {
  command: Command
  danger?: boolean
  /** Shown above what is to be confirmed. */
  children?: ReactNode
}

/** What a change asks of the person on its way: to confirm it, and to prove who they are. */
export function CommandDialogs({ command, danger = false, children }: CommandDialogsProps) {
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
      >
        {children}
      </ConfirmDialog>
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
