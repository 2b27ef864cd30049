import { NoOutcome, useFocusOnAnswer } from './no-outcome.tsx'
import { OutcomePanel } from './outcome-panel.tsx'
import type { Command } from './use-command.ts'

export interface CommandOutcomeProps {
  command: Command
  /** That it is done is told, and gets the focus, in another place. */
  doneElsewhere?: boolean
  /** The head of the page says what the change is. */
  titleAbove?: boolean
}

/**
 * What came of a change, or why nothing was sent: always in this form. Nothing while there is nothing to tell. An answer to
 * the person's own act comes into view and has the focus.
 */
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
