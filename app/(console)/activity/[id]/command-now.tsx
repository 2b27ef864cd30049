'use client'

import { type FormEvent, useState } from 'react'
import { CommandDialogs } from '#components/command/command-dialogs.tsx'
import { CommandOutcome } from '#components/command/command-outcome.tsx'
import { EarlierChange } from '#components/command/no-outcome.tsx'
import { useCommand } from '#components/command/use-command.ts'
import { ExportEvidence } from '#components/export/export-progress.tsx'
import { fieldText, TextField } from '#components/form/text-field.tsx'
import { guardForm } from '#components/frame/guard-form.ts'
import { Panel } from '#components/frame/panel.tsx'
import { useAutomaticRefresh } from '#components/service/session-events.ts'
import { Button, SubmitButton } from '#components/ui/button.tsx'
import { FormErrors } from '#components/ui/field.tsx'
import type { CommandView } from '#lib/commands/command.ts'
import { noteFault } from '#lib/values/text.ts'

/** Polls while the outcome is unknown. */
export function CommandNow({ command: initial }: { command: CommandView }) {
  const command = useCommand(initial, useAutomaticRefresh())
  const { id, kind } = initial
  return (
    <div className="grid gap-4">
      <CommandOutcome command={command} titleAbove />
      <CommandDialogs command={command} />
      {kind === 'evidence.export' ? null : <ExportEvidence address={`/api/export/evidence?command=${id}`} />}
    </div>
  )
}

export function EraseText({ id, erasable }: { id: string; erasable: boolean }) {
  const [isOpen, setOpen] = useState(false)
  if (isOpen) return <EraseTextForm id={id} erasable={erasable} />
  return erasable ? (
    <Button variant="outline" className="justify-self-start" onClick={() => setOpen(true)}>
      Erase text
    </Button>
  ) : null
}

function EraseTextForm({ id, erasable }: { id: string; erasable: boolean }) {
  const erasing = useCommand(null, useAutomaticRefresh())
  const [fault, setFault] = useState<string | null>(null)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const reason = fieldText(event.currentTarget, 'reason').trim()
    const wrong = noteFault(reason, 'Enter why, without the text itself.')
    setFault(wrong)
    if (wrong === null) erasing.prepare('change.erase', { id, reason })
  }
  const { reason = null, ...others } = erasing.faults
  return (
    <>
      <Panel title="Erase text" hidden={!erasable}>
        <form
          ref={guardForm}
          data-taken={erasing.state.step === 'outcome'}
          onSubmit={submit}
          className="grid gap-3 px-3.5 py-3"
        >
          <p className="max-w-prose text-secondary-foreground text-sm">
            Removes notes, reasons and names from this change for good. An administrator must approve.
          </p>
          <TextField
            label="Reason"
            name="reason"
            fault={fault ?? reason}
            help="Recorded with your name. Do not repeat the text."
            takesFocus
          />
          <SubmitButton
            variant="outline"
            className="justify-self-start"
            aria-disabled={erasing.state.step === 'checking'}
          >
            Erase text
          </SubmitButton>
        </form>
        <FormErrors faults={others} className="border-t px-3.5 py-3" />
        <div className="px-3.5 [&:not(:empty)]:pb-3.5">
          <EarlierChange id={erasing.heldBy} />
        </div>
      </Panel>
      <CommandOutcome command={erasing} />
      <CommandDialogs command={erasing} danger />
    </>
  )
}
