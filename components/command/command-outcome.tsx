'use client'

import { ProblemPanel } from '#components/domain/problem-panel.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { OutcomePanel } from './outcome-panel.tsx'
import type { Command } from './use-command.ts'

/** What came of a change, or why nothing was sent: always in this form. Nothing while there is nothing to tell. */
export function CommandOutcome({ command }: { command: Command }) {
  const { state } = command
  if (state.step === 'told') {
    return (
      <OutcomePanel
        command={state.command}
        nextLookAt={command.nextLookAt}
        onLookNow={command.lookNow}
        onSettle={command.settle}
      />
    )
  }
  if (state.step !== 'problem') return null
  return (
    <Panel title="Nothing was sent" tone="attention">
      {state.problem.kind === 'session-over' ? <SignInAgain /> : <ProblemPanel problem={state.problem} />}
    </Panel>
  )
}

/** In a tab of its own, so that nothing typed here is lost. */
const SignInAgain = () => (
  <p role="alert" className="px-3.5 py-3 text-sm">
    <strong className="block">Your session has ended</strong>
    <a href="/sign-in" target="_blank" rel="noreferrer" className="text-accent underline underline-offset-4">
      Sign in again in a new tab
    </a>
    , then come back and confirm: what you typed is still here.
  </p>
)
