'use client'

import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { CommandDialogs } from '#components/command/command-dialogs.tsx'
import { CommandOutcome } from '#components/command/command-outcome.tsx'
import { useCommand } from '#components/command/use-command.ts'
import { useUnsentText } from '#components/domain/use-unsent-text.ts'
import { useAlive } from '#components/ui/alive.ts'
import { Button } from '#components/ui/button.tsx'
import { fieldText } from '#components/ui/field-text.ts'
import { TextArea } from '#components/ui/text-area.tsx'
import { caseNoteFault } from '#lib/domain/case-desk.ts'
import type { KeptText } from '#lib/domain/unsent-text.ts'

interface NoteFormProps {
  caseId: string
  kept: KeptText
  mayWork: boolean
  /** A note was added: the list is old. */
  onAdded: () => void
}

/** Adds a note, for good. What is typed survives a reload, and stays where it did not get through. */
export function NoteForm({ caseId, kept, mayWork, onAdded }: NoteFormProps) {
  const alive = useAlive()
  const unsent = useUnsentText(kept)
  const command = useCommand(null, onAdded)
  const box = useRef<HTMLTextAreaElement>(null)
  const [fault, setFault] = useState<string | null>(null)
  const { state } = command
  const done = state.step === 'told' && state.command.outcome.class === 'done' ? state.command.id : null
  const empty = useEffectEvent(() => {
    unsent.forget()
    if (box.current === null) return
    box.current.value = ''
    box.current.focus()
  })
  useEffect(() => {
    if (done !== null) empty()
  }, [done])
  const sending = state.step === 'checking'
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const text = fieldText(event.currentTarget, 'note')
    const wrong = caseNoteFault(text)
    setFault(wrong)
    if (wrong === null && !sending && mayWork) command.prepare('case.note', { caseId, text })
  }
  return (
    <form
      onSubmit={submit}
      onBlur={unsent.flush}
      className="grid gap-1 border-attention/25 border-t px-3.5 pt-3 pb-3.5"
    >
      <TextArea
        box={box}
        label="New internal note"
        name="note"
        dir="auto"
        initial={unsent.initial}
        readOnly={sending}
        disabled={!mayWork}
        onText={unsent.keep}
        fault={fault ?? command.faults.text ?? null}
        help={mayWork ? 'It stays for good, with your name.' : 'It needs the scope core:disputes:resolve.'}
      />
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" disabled={!alive || sending || !mayWork}>
          {sending ? 'Adding' : 'Add note'}
        </Button>
        <span role="status" className="text-ink-2 text-xs">
          {done === null ? null : 'Note added'}
        </span>
      </div>
      {done === null ? <CommandOutcome command={command} /> : null}
      <CommandDialogs command={command} />
    </form>
  )
}
