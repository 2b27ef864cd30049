'use client'

import { useRouter } from 'next/navigation'
import { type FormEvent, type ReactNode, useState } from 'react'
import { CommandDialogs } from '#components/command/command-dialogs.tsx'
import { CommandOutcome } from '#components/command/command-outcome.tsx'
import { blockingReason } from '#components/command/command-state.ts'
import { useCommand } from '#components/command/use-command.ts'
import { fieldText, TextField } from '#components/form/text-field.tsx'
import { Panel, TwoColumns } from '#components/frame/panel.tsx'
import { Button } from '#components/ui/button.tsx'
import { CardFooter } from '#components/ui/card.tsx'
import { useHydrated } from '#components/ui/hydrated.tsx'
import type { CommandView } from '#lib/commands/command.ts'
import { ASK_WHY_DISABLE } from '#lib/terminals/terminal.ts'
import { noteFault } from '#lib/values/text.ts'

interface TerminalActionsProps {
  terminalId: string
  /** Null when the terminal cannot be read or is already disabled; then there is no form. */
  name: string | null
  blockedReason: string | null
  missingScope: string | null
  /** The latest command of this console to disable it. */
  latest: CommandView | null
  children: ReactNode
}

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
    <TwoColumns>
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
                blockingReason={blockingReason(command)}
                onPrepare={(reason) => command.prepare('terminal.disable', { terminalId, reason })}
              />
            ) : (
              <p className="px-3.5 py-3 text-secondary-foreground text-sm">{blockedReason}</p>
            )}
          </Panel>
        )}
      </div>
      <div className="grid gap-4">
        <CommandOutcome command={command} />
      </div>
      <CommandDialogs command={command} danger />
    </TwoColumns>
  )
}

interface DisableFormProps {
  name: string
  missingScope: string | null
  /** The server's faults, by field name. */
  faults: Readonly<Record<string, string>>
  checking: boolean
  /** Why the operator cannot start again now. */
  blockingReason: string | null
  onPrepare: (reason: string) => void
}

/** A disabled terminal cannot be enabled again. */
function DisableForm({ name, missingScope, faults, checking, blockingReason, onPrepare }: DisableFormProps) {
  const hydrated = useHydrated()
  const [own, setOwn] = useState<string | null>(null)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const reason = fieldText(event.currentTarget, 'reason')
    const found = noteFault(reason, ASK_WHY_DISABLE)
    setOwn(found)
    if (missingScope === null && blockingReason === null && found === null) onPrepare(reason)
  }
  return (
    <form onSubmit={submit}>
      <div className="px-3.5 pt-3.5 pb-1.5">
        <TextField
          label="Reason"
          name="reason"
          fault={own ?? faults.reason ?? null}
          help="Lost, stolen or retired, and who reported it. Recorded with your name."
          takesFocus={missingScope === null && blockingReason === null}
        />
      </div>
      <CardFooter>
        <p className="min-w-48 flex-1 text-muted-foreground text-xs">
          {missingScope === null
            ? (blockingReason ?? 'The reader stops taking cards. This cannot be undone.')
            : `Read-only: disabling needs the scope ${missingScope}.`}
        </p>
        <Button
          type="submit"
          variant="destructive"
          disabled={!hydrated || checking || missingScope !== null || blockingReason !== null}
          className="max-w-full"
        >
          <span className="truncate">{checking ? 'Checking' : `Disable terminal ${name}`}</span>
        </Button>
        {faults.terminalId === undefined ? null : (
          <p role="alert" className="w-full text-danger text-sm">
            {faults.terminalId}
          </p>
        )}
      </CardFooter>
    </form>
  )
}
