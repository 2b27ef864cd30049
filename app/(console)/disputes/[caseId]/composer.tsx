'use client'

import { type FormEvent, type KeyboardEvent, type RefObject, useState } from 'react'
import { useAlive } from '#components/ui/alive.ts'
import { Button } from '#components/ui/button.tsx'
import { fieldText } from '#components/ui/field-text.ts'
import { TextArea } from '#components/ui/text-area.tsx'
import { messageFault } from '#lib/domain/dispute-message.ts'

interface ComposerProps {
  box: RefObject<HTMLTextAreaElement | null>
  initial: string
  onText: (text: string) => void
  onLeave: () => void
  onSend: (body: string) => void
  missingScope: string | null
}

/** Where a message to both sides is written. What is typed is kept until it is sent. */
export function Composer({ box, initial, onText, onLeave, onSend, missingScope }: ComposerProps) {
  const alive = useAlive()
  const [fault, setFault] = useState<string | null>(null)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const body = fieldText(event.currentTarget, 'body')
    const found = messageFault(body)
    setFault(found)
    if (found === null && missingScope === null) onSend(body.trim())
  }
  const sendByKeys = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return
    event.preventDefault()
    event.currentTarget.form?.requestSubmit()
  }
  return (
    <form onSubmit={submit} className="border-line border-t px-4 pt-3 pb-3 sm:px-6">
      <TextArea
        label="Message to both sides"
        name="body"
        box={box}
        initial={initial}
        fault={fault}
        onText={(text) => {
          if (fault !== null) setFault(null)
          onText(text)
        }}
        onBlur={onLeave}
        onKeyDown={sendByKeys}
        help={
          missingScope === null
            ? 'What you type is kept for you until it is sent.'
            : `You may read, but not write here: it needs the scope ${missingScope}.`
        }
      />
      <div className="flex items-center justify-end gap-3">
        <Button type="submit" look="go" disabled={!alive || missingScope !== null}>
          Send message
          <kbd className="rounded border border-current px-1 font-sans text-[11px] opacity-80">Ctrl ↵</kbd>
        </Button>
      </div>
    </form>
  )
}
