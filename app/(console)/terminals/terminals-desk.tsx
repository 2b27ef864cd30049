'use client'

import { useRouter } from 'next/navigation'
import { CommandDialogs } from '#components/command/command-dialogs.tsx'
import { CommandOutcome } from '#components/command/command-outcome.tsx'
import { useCommand } from '#components/command/use-command.ts'
import type { Reading } from '#components/table/use-table.ts'
import type { Terminal } from '#lib/contract/terminals.ts'
import type { CommandView } from '#lib/domain/command.ts'
import { RegisterTerminalForm } from './register-terminal-form.tsx'
import { TerminalsTable } from './terminals-table.tsx'

interface TerminalsDeskProps {
  merchantId: string
  reading: Reading<Terminal>
  missingScope: string | null
  /** The latest registration for this merchant, if it is news. */
  latest: CommandView | null
}

/** A merchant's terminals, the way to register one more, and at the right what came of that. */
export function TerminalsDesk({ merchantId, reading, missingScope, latest }: TerminalsDeskProps) {
  const router = useRouter()
  const command = useCommand(latest, () => router.refresh())
  const { state } = command
  // A terminal that is registered leaves empty fields behind.
  const registered = state.step === 'told' && state.command.outcome.class === 'done' ? state.command.id : ''
  const notThere = reading.kind === 'problem' && reading.problem.status === 404
  return (
    <div className="grid items-start gap-4 wide:grid-cols-[minmax(0,1fr)_392px]">
      <TerminalsTable merchantId={merchantId} reading={reading} />
      <div className="grid gap-4">
        {notThere ? null : (
          <RegisterTerminalForm
            key={registered}
            missingScope={missingScope}
            faults={command.faults}
            checking={state.step === 'checking'}
            onRegister={(terminal) => command.prepare('terminal.register', { merchantId, ...terminal })}
          />
        )}
        <CommandOutcome command={command} />
      </div>
      <CommandDialogs command={command} />
    </div>
  )
}
