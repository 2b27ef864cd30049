'use client'

import { useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { Dialog } from '#components/ui/dialog.tsx'
import { DEPOSIT_HOLD_HOURS } from '#lib/contract/transaction-states.ts'

interface ConfirmRunDialogProps {
  /** How many deposits, and how much together. */
  title: string
  /** `3 deposits` */
  what: string
  /** Lines that somebody entered something into. */
  byHand: number
  onConfirm: () => void
  onClose: () => void
}

/** One act for all ready lines: how many, and how much together. */
export function ConfirmRunDialog({ title, what, byHand, onConfirm, onClose }: ConfirmRunDialogProps) {
  const [sending, setSending] = useState(false)
  return (
    <Dialog
      title={title}
      description="Each is read once more and confirmed by itself, exactly as its line shows."
      onClose={onClose}
    >
      <p className="px-4.5 py-3 text-ink-2 text-sm">
        Every balance is minted and held for {DEPOSIT_HOLD_HOURS} hours. A wrong confirmation can be reversed in that
        time only, and not from this console. It goes on when you leave the page, and can be stopped after any line.
      </p>
      {byHand === 0 ? null : (
        <p className="border-line border-t bg-attention-wash px-4.5 py-3 text-sm">
          {byHand.toLocaleString('en-US')} {byHand === 1 ? 'line is' : 'lines are'} not part of it: something was
          entered there by hand, and each wants a confirmation of its own.
        </p>
      )}
      <footer className="flex flex-wrap gap-2 border-line border-t bg-sunken px-4.5 py-3">
        {/* At the left, away from where the button that opened the dialog is. A repeating key confirms nothing. */}
        <Button
          look="go"
          aria-disabled={sending}
          onKeyDown={(event) => event.repeat && event.preventDefault()}
          onClick={() => {
            if (sending) return
            setSending(true)
            onConfirm()
          }}
        >
          {sending ? 'Starting' : `Confirm ${what}`}
        </Button>
        <Button look="quiet" onClick={onClose} disabled={sending}>
          Cancel
        </Button>
      </footer>
    </Dialog>
  )
}
