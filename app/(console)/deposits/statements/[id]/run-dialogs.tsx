import { Suspense } from 'react'
import { loadStepUpDialog } from '#components/command/dialog-scripts.ts'
import { onDemand } from '#components/ui/on-demand.tsx'
import type { LimitUse } from '#lib/commands/command.ts'
import type { EditedLine } from './confirm-run-dialog.tsx'
import type { ConfirmRun } from './use-confirm-run.ts'
import type { LineActs } from './use-line-acts.ts'

const ConfirmRunDialog = onDemand(
  () => import('./confirm-run-dialog.tsx').then((it) => it.ConfirmRunDialog),
  ({ onClose }) => onClose,
)
const StepUpDialog = onDemand(
  () => loadStepUpDialog().then((it) => it.StepUpDialog),
  ({ onCancel }) => onCancel,
)

interface RunDialogsProps {
  run: ConfirmRun
  count: number
  /** Lines with manually entered data; the run does not include them. */
  byHand: number
  /** Lines that the run counts but does not confirm. */
  apart: number
  edited: readonly EditedLine[]
  limits: readonly LimitUse[]
  sum: string
}

export function RunDialogs({ run, count, byHand, apart, edited, limits, sum }: RunDialogsProps) {
  const what = `${count.toLocaleString('en-US')} ${count === 1 ? 'deposit' : 'deposits'}`
  const title = `Confirm ${what} of ${sum} BZD${count === 1 ? '' : ' together'}`
  const { state } = run
  return (
    <>
      <Suspense>
        {state.step === 'confirming' ? (
          <ConfirmRunDialog
            title={title}
            what={what}
            single={count === 1}
            byHand={byHand}
            apart={apart}
            edited={edited}
            limits={limits}
            onConfirm={() => void run.start(null)}
            onClose={run.close}
          />
        ) : null}
      </Suspense>
      <Suspense>
        {state.step === 'verifying' ? (
          <StepUpDialog
            title={title}
            wanted={state.wanted}
            sending={state.sending}
            onCode={(code) => void run.start(code)}
            onCancel={run.close}
          />
        ) : null}
      </Suspense>
    </>
  )
}

const ConfirmLine = onDemand(() => import('./confirm-line.tsx').then((it) => it.ConfirmLine))
const LineDialog = onDemand(
  () => import('./line-dialog.tsx').then((it) => it.LineDialog),
  ({ acts }) => acts.close,
)

export function LineDialogs({ id, acts }: { id: string; acts: LineActs }) {
  const { dialog } = acts
  if (dialog === null) return null
  const { what, line } = dialog
  return (
    <>
      <Suspense>{what === 'confirm' ? <ConfirmLine id={id} dialog={dialog} /> : null}</Suspense>
      <Suspense>
        {what === 'confirm' ? null : <LineDialog key={line.number} acts={acts} dialog={{ what, line }} />}
      </Suspense>
    </>
  )
}
