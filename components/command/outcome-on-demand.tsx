import { lazy, Suspense } from 'react'
import { loadCommandOutcome } from './dialog-scripts.ts'
import type { Command } from './use-command.ts'

const CommandOutcome = lazy(() => loadCommandOutcome().then((it) => ({ default: it.CommandOutcome })))

/** `CommandOutcome` for changes that are confirmed in a dialog: its code comes with the dialog's, or with an outcome of before. */
export const OutcomeOnDemand = ({ command }: { command: Command }) =>
  command.state.step === 'idle' ? null : (
    <Suspense>
      <CommandOutcome command={command} />
    </Suspense>
  )
