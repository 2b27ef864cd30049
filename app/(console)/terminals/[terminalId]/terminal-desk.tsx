'use client'

import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { CommandDialogs } from '#components/command/command-dialogs.tsx'
import { CommandOutcome } from '#components/command/command-outcome.tsx'
import { useCommand } from '#components/command/use-command.ts'
import { Panel } from '#components/ui/panel.tsx'
import type { CommandView } from '#lib/domain/command.ts'
import { DisableForm } from './disable-form.tsx'

interface TerminalDeskProps {
  terminalId: string
  /** Null while the terminal cannot be read, and when it is disabled: then nothing is offered. */
  name: string | null
  /** Why it cannot be disabled as it stands. */
  barred: string | null
  missingScope: string | null
  /** What this console last did to disable it. */
  latest: CommandView | null
  /** What is known of the terminal. */
  children: ReactNode
}

/** One terminal: its facts, the way to disable it, and at the right what came of that. */
export function TerminalDesk({ terminalId, name, barred, missingScope, latest, children }: TerminalDeskProps) {
  const router = useRouter()
  const command = useCommand(latest, () => router.refresh())
  return (
    <div className="grid items-start gap-4 wide:grid-cols-[minmax(0,1fr)_392px]">
      <div className="grid gap-4">
        {children}
        {name === null ? null : (
          <Panel title="Disable this terminal">
            {barred === null ? (
              <DisableForm
                name={name}
                missingScope={missingScope}
                faults={command.faults}
                checking={command.state.step === 'checking'}
                onPrepare={(reason) => command.prepare('terminal.disable', { terminalId, reason })}
              />
            ) : (
              <p className="px-3.5 py-3 text-ink-2 text-sm">{barred}</p>
            )}
          </Panel>
        )}
      </div>
      <div className="grid gap-4">
        <CommandOutcome command={command} />
      </div>
      <CommandDialogs command={command} danger />
    </div>
  )
}
