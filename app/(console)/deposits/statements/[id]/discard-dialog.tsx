import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { Modal } from '#components/frame/modal.tsx'
import { Button } from '#components/ui/button.tsx'
import { DialogFooter } from '#components/ui/dialog.tsx'
import { FormError } from '#components/ui/field.tsx'
import { useIsHere } from '#components/ui/hydrated.tsx'
import { visibleText } from '#lib/values/text.ts'
import { counted, formatCount } from '#lib/values/words.ts'
import { discard } from '../statement-requests.ts'

export interface DiscardDialogProps {
  id: string
  fileName: string
  lines: number
  confirmed: number
  onClose: () => void
}

export function DiscardDialog({ id, fileName, lines, confirmed, onClose }: DiscardDialogProps) {
  const router = useRouter()
  const isHere = useIsHere()
  const [sending, setSending] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const send = async () => {
    setSending(true)
    const discarded = await discard(id)
    setSending(false)
    if (!discarded.ok) return setFault(discarded.why)
    if (!isHere()) return
    onClose()
    router.push(`/deposits/statements?discarded=${id}`)
    router.refresh()
  }
  return (
    <Modal
      title={`Discard ${counted(lines, 'line')}`}
      description={
        <span className="break-words">Removes {visibleText(fileName)} and everything entered on its lines.</span>
      }
      onClose={() => sending || onClose()}
    >
      <div className="grid gap-2 px-4.5 py-3 text-secondary-foreground text-sm">
        <p>
          The journal is not changed.{' '}
          {confirmed === 0
            ? 'No deposits were confirmed from it.'
            : `${confirmed === 1 ? 'The deposit' : `The ${formatCount(confirmed)} deposits`} confirmed from it ${confirmed === 1 ? 'stays' : 'stay'} confirmed.`}
        </p>
        <p>You can restore it for ten minutes. Then it is deleted.</p>
        <FormError fault={fault} meaning="attention" />
      </div>
      <DialogFooter>
        <Button variant="destructive" aria-disabled={sending} onClick={() => (sending ? undefined : void send())}>
          {sending ? 'Working' : 'Discard statement'}
        </Button>
        <Button variant="ghost" onClick={() => sending || onClose()} aria-disabled={sending}>
          Cancel
        </Button>
      </DialogFooter>
    </Modal>
  )
}
