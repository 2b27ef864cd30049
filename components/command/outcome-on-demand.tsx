import { Suspense } from 'react'
import { onDemand } from '#components/ui/on-demand.tsx'
import type { CommandOutcomeProps } from './command-outcome.tsx'
import type { Command } from './command-state.ts'
import { NoOutcome, useFocusOnAnswer } from './no-outcome.tsx'

export const loadCommandOutcome = () => import('./command-outcome.tsx')

const CommandOutcome = onDemand(() => loadCommandOutcome().then((it) => it.CommandOutcome))

/** The unanswered state must not load code, because the console does not answer. */
export const OutcomeOnDemand = (props: CommandOutcomeProps) =>
  props.command.state.step === 'outcome' ? (
    <Suspense>
      <CommandOutcome {...props} />
    </Suspense>
  ) : (
    <Unanswered command={props.command} />
  )

function Unanswered({ command }: { command: Command }) {
  return <NoOutcome command={command} box={useFocusOnAnswer(command)} />
}
