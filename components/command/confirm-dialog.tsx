'use client'

import { Loader, TriangleAlert } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { Dialog } from '#components/ui/dialog.tsx'
import { Field } from '#components/ui/field.tsx'
import type { DraftView } from '#lib/commands/command.ts'
import { Lines } from './lines.tsx'

interface ConfirmDialogProps {
  draft: DraftView
  sending: boolean
  /** It cannot be undone. */
  danger: boolean
  onConfirm: (proof: string) => void
  onCancel: () => void
  /** What to compare before confirming. */
  children?: ReactNode
}

/** Restates a stored draft: object, parties, amount and consequence. What is confirmed here is what is sent. */
export function ConfirmDialog({ draft, sending, danger, onConfirm, onCancel, children }: ConfirmDialogProps) {
  const [typed, setTyped] = useState('')
  const { proof, warning } = draft
  const proven = proof === null || typed.trim() === proof.expected.trim()
  const confirm = () => {
    if (proven && !sending) onConfirm(typed)
  }
  return (
    <Dialog title={draft.title} description="Check every line. This is exactly what is sent." onClose={onCancel}>
      <form
        className="flex min-h-0 flex-col"
        onSubmit={(event) => {
          event.preventDefault()
          confirm()
        }}
      >
        <div className="min-h-0 overflow-y-auto">
          {children}
          <div className="px-1">
            <Lines lines={draft.lines} />
          </div>
          {warning === null ? null : (
            <p className="flex gap-2 border-line border-t bg-attention-wash px-4.5 py-3 text-sm">
              <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-attention" />
              {warning}
            </p>
          )}
          <p className="border-line border-t px-4.5 py-3 text-ink-2 text-sm">{draft.consequence}</p>
          {proof === null ? null : (
            <div className="border-line border-t px-4.5 pt-3">
              <Field label={proof.label} name="proof" mono onText={setTyped} />
            </div>
          )}
        </div>
        <footer className="flex flex-wrap gap-2 border-line border-t bg-sunken px-4.5 py-3">
          {/* At the left, away from where the button that opened the dialog is. A repeating key confirms nothing. */}
          <Button
            type="submit"
            look={danger ? 'danger' : 'go'}
            onKeyDown={(event) => event.repeat && event.preventDefault()}
            aria-disabled={sending || !proven}
          >
            {sending ? <Loader aria-hidden className="animate-spin" /> : null}
            {sending ? 'Sending' : draft.button}
          </Button>
          <Button look="quiet" onClick={onCancel} disabled={sending}>
            Cancel
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
