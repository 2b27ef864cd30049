'use client'

import { type FormEvent, type ReactNode, useState } from 'react'
import { CommandDialogs } from '#components/command/command-dialogs.tsx'
import { CommandOutcome } from '#components/command/command-outcome.tsx'
import { blockingReason, type Command } from '#components/command/command-state.ts'
import { EarlierChange } from '#components/command/no-outcome.tsx'
import { useCommand } from '#components/command/use-command.ts'
import { fieldText, TextField } from '#components/form/text-field.tsx'
import { guardForm } from '#components/frame/guard-form.ts'
import { Panel, TwoColumns } from '#components/frame/panel.tsx'
import { useAutomaticRefresh } from '#components/service/session-events.ts'
import { SubmitButton } from '#components/ui/button.tsx'
import { CardFooter } from '#components/ui/card.tsx'
import { FormError } from '#components/ui/field.tsx'
import type { CommandView } from '#lib/commands/command.ts'
import { ASK_WHY_DISABLE } from '#lib/terminals/terminal.ts'
import { noteFault } from '#lib/values/text.ts'

interface TerminalActionsProps {
  terminalId: string
  /** Null when the terminal cannot be read or is already disabled; then there is no form. */
  name: string | null
  blockedReason: string | null
  missingScope: string | null
  latest: CommandView | null
  children: ReactNode
}

export function TerminalActions({ name, blockedReason, latest, children, ...form }: TerminalActionsProps) {
  const command = useCommand(latest, useAutomaticRefresh())
  return (
    <TwoColumns>
      <div className="grid gap-4">
        {children}
        {name === null ? null : (
          <Panel title="Disable this terminal">
            {blockedReason === null ? (
              <DisableForm {...form} name={name} command={command} />
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

interface DisableFormProps extends Pick<TerminalActionsProps, 'terminalId' | 'missingScope'> {
  name: string
  command: Command
}

function DisableForm({ terminalId, name, missingScope, command }: DisableFormProps) {
  const { faults } = command
  const checking = command.state.step === 'checking'
  const whyNot = blockingReason(command)
  const blocked = missingScope !== null || whyNot !== null
  const [own, setOwn] = useState<string | null>(null)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const reason = fieldText(event.currentTarget, 'reason')
    const found = noteFault(reason, ASK_WHY_DISABLE)
    setOwn(found)
    if (!blocked && found === null) command.prepare('terminal.disable', { terminalId, reason })
  }
  return (
    <form ref={guardForm} data-taken={command.state.step === 'outcome'} onSubmit={submit}>
      <div className="px-3.5 pt-3.5 pb-1.5">
        <TextField
          label="Reason"
          name="reason"
          fault={own ?? faults.reason ?? null}
          help="Lost, stolen or retired, and who reported it. Recorded with your name."
          takesFocus={!blocked}
        />
      </div>
      <CardFooter>
        <p className="min-w-48 flex-1 text-muted-foreground text-xs">
          {missingScope === null
            ? (whyNot ?? 'The reader stops taking cards. This cannot be undone.')
            : `Read-only: disabling needs the scope ${missingScope}.`}
        </p>
        <SubmitButton variant="destructive" disabled={blocked} aria-disabled={checking} className="max-w-full">
          <span className="truncate">{checking ? 'Checking' : `Disable terminal ${name}`}</span>
        </SubmitButton>
        <FormError fault={faults.terminalId} className="w-full" />
        <EarlierChange id={command.heldBy} />
      </CardFooter>
    </form>
  )
}
