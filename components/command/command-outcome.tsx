import { Panel } from '#components/frame/panel.tsx'
import { ProblemPanel } from '#components/service/problem-panel.tsx'
import { OutcomePanel } from './outcome-panel.tsx'
import { SignInAgain } from './sign-in-again.tsx'
import type { Command } from './use-command.ts'

/** What came of a change, or why nothing was sent: always in this form. Nothing while there is nothing to tell. */
export function CommandOutcome({ command }: { command: Command }) {
  const { state } = command
  if (state.step === 'outcome') {
    return (
      <OutcomePanel
        command={state.command}
        nextReconcileAt={command.nextReconcileAt}
        onReconcileNow={command.reconcileNow}
        onSettle={command.settle}
        onFreeLock={command.freeLock}
        notice={state.notice}
        onGoOn={() => command.verify(null)}
        onTakeBack={command.cancel}
      />
    )
  }
  if (state.step !== 'problem') return null
  return (
    <Panel title="Nothing was sent" meaning="attention">
      {state.problem.kind === 'session-over' ? (
        <div className="px-3.5 py-3">
          <SignInAgain />
        </div>
      ) : (
        <ProblemPanel problem={state.problem} />
      )}
    </Panel>
  )
}
