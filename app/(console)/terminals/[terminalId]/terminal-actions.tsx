'use client'

import { useRouter } from 'next/navigation'
import { type FormEvent, type ReactNode, useState } from 'react'
import { CommandDialogs } from '#components/command/command-dialogs.tsx'
import { CommandOutcome } from '#components/command/command-outcome.tsx'
import { useCommand } from '#components/command/use-command.ts'
import { Button } from '#components/ui/button.tsx'
import { Field } from '#components/ui/field.tsx'
import { fieldText } from '#components/ui/field-text.ts'
import { Panel } from '#components/ui/panel.tsx'
import { useHydrated } from '#components/ui/use-hydrated.ts'
import type { CommandView } from '#lib/commands/command.ts'
import { ASK_WHY_DISABLE } from '#lib/terminals/terminal.ts'
import { noteFault } from '#lib/values/typed-line.ts'

interface TerminalActionsProps {
  terminalId: string
  /** Null while the terminal cannot be read, and when it is disabled: then nothing is offered. */
  name: string | null
  /** Why it cannot be disabled as it stands. */
  blockedReason: string | null
  missingScope: string | null
  /** What this console last did to disable it. */
  latest: CommandView | null
  /** What is known of the terminal. */
  children: ReactNode
}

/** One terminal: its facts, the way to disable it, and at the right what came of that. */
export function TerminalActions({
  terminalId,
  name,
  blockedReason,
  missingScope,
  latest,
  children,
}: TerminalActionsProps) {
  const router = useRouter()
  const command = useCommand(latest, () => router.refresh())
  return (
    <div className="grid items-start gap-4 wide:grid-cols-[minmax(0,1fr)_392px]">
      <div className="grid gap-4">
        {children}
        {name === null ? null : (
          <Panel title="Disable this terminal">
            {blockedReason === null ? (
              <DisableForm
                name={name}
                missingScope={missingScope}
                faults={command.faults}
                checking={command.state.step === 'checking'}
                onPrepare={(reason) => command.prepare('terminal.disable', { terminalId, reason })}
              />
            ) : (
              <p className="px-3.5 py-3 text-ink-2 text-sm">{blockedReason}</p>
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

interface DisableFormProps {
  name: string
  missingScope: string | null
  /** What the console found wrong, by field. */
  faults: Readonly<Record<string, string>>
  checking: boolean
  onPrepare: (reason: string) => void
}

/** Why a reader is stopped for good. */
function DisableForm({ name, missingScope, faults, checking, onPrepare }: DisableFormProps) {
  const hydrated = useHydrated()
  const [own, setOwn] = useState<string | null>(null)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const reason = fieldText(event.currentTarget, 'reason')
    const found = noteFault(reason, ASK_WHY_DISABLE)
    setOwn(found)
    if (missingScope === null && found === null) onPrepare(reason)
  }
  return (
    <form onSubmit={submit}>
      <div className="px-3.5 pt-3.5 pb-1.5">
        <Field
          label="Reason"
          name="reason"
          fault={own ?? faults.reason ?? null}
          help="Lost, stolen or retired, and who reported it. It goes into the journal."
        />
      </div>
      <footer className="flex flex-wrap items-center gap-3 border-line border-t px-3.5 py-3">
        <p className="min-w-48 flex-1 text-ink-3 text-xs">
          {missingScope === null
            ? 'The reader stops taking cards. No operation leads back.'
            : `You may look, but not disable: it needs the scope ${missingScope}.`}
        </p>
        <Button
          type="submit"
          look="danger"
          disabled={!hydrated || checking || missingScope !== null}
          className="max-w-full"
        >
          <span className="truncate">{checking ? 'Checking' : `Disable terminal ${name}`}</span>
        </Button>
        {faults.terminalId === undefined ? null : (
          <p role="alert" className="w-full text-danger text-sm">
            {faults.terminalId}
          </p>
        )}
      </footer>
    </form>
  )
}
