import { type ReactNode, Suspense } from 'react'
import { onDemand } from '#components/ui/on-demand.tsx'
import type { Command } from './command-state.ts'
import type { AlsoConfirm } from './confirm-dialog.tsx'

export const loadConfirmDialog = () => import('./confirm-dialog.tsx')
export const loadStepUpDialog = () => import('./step-up-dialog.tsx')

/** Keeps the page's controls disabled until the dialog opens. If loading fails, `onDemand` offers to try again. */
export const loaded = (load: () => Promise<unknown>): Promise<unknown> => load().catch(() => null)

const ConfirmDialog = onDemand(
  () => loadConfirmDialog().then((it) => it.ConfirmDialog),
  ({ command }) => command.cancel,
)
export const StepUpDialog = onDemand(
  () => loadStepUpDialog().then((it) => it.StepUpDialog),
  ({ onCancel }) => onCancel,
)

interface CommandDialogsProps {
  command: Command
  danger?: boolean
  also?: AlsoConfirm
  children?: ReactNode
}

/** Separate boundaries: in a shared one, the first dialog would stay hidden while the second loads. */
export function CommandDialogs({ command, danger = false, also, children }: CommandDialogsProps) {
  const { state } = command
  return (
    <>
      <Suspense>
        {state.step === 'confirming' ? (
          <ConfirmDialog
            key={state.draft.id}
            command={command}
            draft={state.draft}
            sending={state.sending}
            problem={state.problem ?? null}
            danger={danger}
            also={also}
          >
            {children}
          </ConfirmDialog>
        ) : null}
      </Suspense>
      <Suspense>
        {state.step === 'verifying' ? (
          <StepUpDialog
            title={state.command.title}
            stepUp={state.stepUp}
            sending={state.sending}
            inFlight={command.inFlight}
            onCode={command.verify}
            onCancel={command.cancel}
          />
        ) : null}
      </Suspense>
    </>
  )
}
