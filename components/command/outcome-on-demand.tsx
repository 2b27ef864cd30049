import { Suspense } from 'react'
import { onDemand } from '#components/ui/on-demand.tsx'
import type { CommandOutcomeProps } from './command-outcome.tsx'
import { loadCommandOutcome } from './dialog-scripts.ts'
import { NoOutcome, useFocusOnAnswer } from './no-outcome.tsx'
import type { Command } from './use-command.ts'

const CommandOutcome = onDemand(() => loadCommandOutcome().then((it) => it.CommandOutcome))

/**
 * `CommandOutcome` for changes that are confirmed in a dialog: the code for an outcome comes with the dialog's, or with an
 * outcome of before. That the console did not answer is told without it: then nothing can be loaded.
 */
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
