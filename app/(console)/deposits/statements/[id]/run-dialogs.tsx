import dynamic from 'next/dynamic'
import type { EditedLine } from './confirm-run-dialog.tsx'
import type { ConfirmRun } from './use-confirm-run.ts'
import type { LineActs } from './use-line-acts.ts'

const ConfirmRunDialog = dynamic(() => import('./confirm-run-dialog.tsx').then((file) => file.ConfirmRunDialog))
const StepUpDialog = dynamic(() => import('#components/command/step-up-dialog.tsx').then((file) => file.StepUpDialog))

interface RunDialogsProps {
  run: ConfirmRun
  count: number
  /** Lines that are no part of it. */
  byHand: number
  edited: readonly EditedLine[]
  sum: string
}

/** What a run asks of the person: to confirm what it will do, and to prove who they are. */
export function RunDialogs({ run, count, byHand, edited, sum }: RunDialogsProps) {
  const what = `${count.toLocaleString('en-US')} ${count === 1 ? 'deposit' : 'deposits'}`
  const title = `Confirm ${what} of ${sum} BZD together`
  const { state } = run
  if (state.step === 'confirming') {
    return (
      <ConfirmRunDialog
        title={title}
        what={what}
        byHand={byHand}
        edited={edited}
        onConfirm={() => void run.start(null)}
        onClose={run.close}
      />
    )
  }
  if (state.step !== 'verifying') return null
  return (
    <StepUpDialog
      title={title}
      wanted={state.wanted}
      sending={state.sending}
      onCode={(code) => void run.start(code)}
      onCancel={run.close}
    />
  )
}

const ConfirmLine = dynamic(() => import('./confirm-line.tsx').then((file) => file.ConfirmLine))
const LineDialog = dynamic(() => import('./line-dialog.tsx').then((file) => file.LineDialog))

/** What is asked about one line: something to type, or to confirm it. */
export function LineDialogs({ id, acts }: { id: string; acts: LineActs }) {
  const { dialog } = acts
  if (dialog === null) return null
  const { what, line } = dialog
  if (what === 'confirm') return <ConfirmLine id={id} dialog={dialog} />
  return <LineDialog key={line.number} acts={acts} dialog={{ what, line }} />
}
