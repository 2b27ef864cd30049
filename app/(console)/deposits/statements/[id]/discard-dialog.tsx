import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { Modal } from '#components/frame/modal.tsx'
import { Button } from '#components/ui/button.tsx'
import { DialogFooter } from '#components/ui/dialog.tsx'
import { linesWords } from '#lib/statements/statement-view.ts'
import { visibleText } from '#lib/values/visible-text.ts'
import { discard } from '../statement-requests.ts'

export interface DiscardDialogProps {
  id: string
  fileName: string
  lines: number
  /** The number of lines that are confirmed. */
  confirmed: number
  onClose: () => void
}

export function DiscardDialog({ id, fileName, lines, confirmed, onClose }: DiscardDialogProps) {
  const router = useRouter()
  const [sending, setSending] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const send = async () => {
    setSending(true)
    const asked = await discard(id)
    setSending(false)
    if (!asked.ok) return setFault(asked.why)
    onClose()
    router.push(`/deposits/statements?discarded=${id}`)
    router.refresh()
  }
  return (
    <Modal
      title={`Discard ${linesWords(lines)}`}
      description={
        <span className="break-words">All of {visibleText(fileName)} goes, with what was entered on its lines.</span>
      }
      onClose={onClose}
    >
      <div className="grid gap-2 px-4.5 py-3 text-secondary-foreground text-sm">
        <p>
          The journal stays.{' '}
          {confirmed === 0
            ? 'No deposit was confirmed by it.'
            : `So ${confirmed === 1 ? 'does the deposit' : `do the ${confirmed.toLocaleString('en-US')} deposits`} that its lines confirmed.`}
        </p>
        <p>For ten minutes it can be restored, here and in the list of statements. After that it is erased.</p>
        {fault === null ? null : (
          <p role="alert" className="text-attention">
            {fault}
          </p>
        )}
      </div>
      <DialogFooter>
        <Button
          variant="destructive"
          aria-disabled={sending}
          onKeyDown={(event) => event.repeat && event.preventDefault()}
          onClick={() => (sending ? undefined : void send())}
        >
          {sending ? 'One moment' : 'Discard statement'}
        </Button>
        <Button variant="ghost" onClick={onClose} disabled={sending}>
          Cancel
        </Button>
      </DialogFooter>
    </Modal>
  )
}
