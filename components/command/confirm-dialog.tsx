'use client'

import { Loader } from 'lucide-react'
import { Lines } from '#components/domain/lines.tsx'
import { Button } from '#components/ui/button.tsx'
import { Dialog } from '#components/ui/dialog.tsx'
import type { DraftView } from '#lib/domain/command.ts'

interface ConfirmDialogProps {
  draft: DraftView
  sending: boolean
  onConfirm: () => void
  onCancel: () => void
}

/** Restates a stored draft: object, parties, amount and consequence. What is confirmed here is what is sent. */
export function ConfirmDialog({ draft, sending, onConfirm, onCancel }: ConfirmDialogProps) {
  return (
    <Dialog title={draft.title} description="Check every line. This is exactly what is sent." onClose={onCancel}>
      <div className="min-h-0 overflow-y-auto">
        <div className="px-1">
          <Lines lines={draft.lines} />
        </div>
        <p className="border-line border-t px-4.5 py-3 text-ink-2 text-sm">{draft.consequence}</p>
      </div>
      <footer className="flex flex-wrap gap-2 border-line border-t bg-sunken px-4.5 py-3">
        {/* At the left, away from where the button that opened the dialog is. A repeating key confirms nothing. */}
        <Button
          look="go"
          onClick={onConfirm}
          onKeyDown={(event) => event.repeat && event.preventDefault()}
          aria-disabled={sending}
        >
          {sending ? <Loader aria-hidden className="animate-spin" /> : null}
          {sending ? 'Sending' : draft.button}
        </Button>
        <Button look="quiet" onClick={onCancel} disabled={sending}>
          Cancel
        </Button>
      </footer>
    </Dialog>
  )
}
