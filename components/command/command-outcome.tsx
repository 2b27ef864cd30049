import { NoOutcome, useFocusOnAnswer } from './no-outcome.tsx'
import { OutcomePanel } from './outcome-panel.tsx'
import type { Command } from './use-command.ts'

export interface CommandOutcomeProps {
  command: Command
  /** Another component shows success and takes the focus. */
  doneElsewhere?: boolean
  titleAbove?: boolean
}

export function CommandOutcome({ command, doneElsewhere = false, titleAbove = false }: CommandOutcomeProps) {
  const { state } = command
  const box = useFocusOnAnswer(command, doneElsewhere)
  if (state.step === 'outcome') {
    return (
      <OutcomePanel
        box={box}
        command={state.command}
        titleAbove={titleAbove}
        nextReconcileAt={command.nextReconcileAt}
        onReconcileNow={command.reconcileNow}
        onSettle={command.settle}
        onUnseen={command.handleUnseen}
        notice={state.notice}
        onGoOn={() => command.verify(null)}
        onTakeBack={command.cancel}
      />
    )
  }
  return <NoOutcome command={command} box={box} />
}
