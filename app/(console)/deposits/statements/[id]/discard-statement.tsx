'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { Modal } from '#components/frame/modal.tsx'
import { Button } from '#components/ui/button.tsx'
import { DialogFooter } from '#components/ui/dialog.tsx'
import { useHydrated } from '#components/ui/use-hydrated.ts'
import { linesWords } from '#lib/statements/statement-line.ts'
import { visibleText } from '#lib/values/visible-text.ts'
import { discard } from '../statement-requests.ts'

interface DiscardStatementProps {
  id: string
  fileName: string
  lines: number
  /** How many of them are done. */
  confirmed: number
  /** Why it cannot be discarded now; null when it can. */
  blocked: string | null
}

/** The way to discard a statement; asks first, and says what goes and what stays. */
export function DiscardStatement(props: DiscardStatementProps) {
  const hydrated = useHydrated()
  const [asking, setAsking] = useState(false)
  return (
    <p className="mt-3 flex flex-wrap items-center gap-2 text-muted-foreground text-xs">
      {props.blocked ?? 'Were the columns mapped wrongly?'}
      <Button variant="ghost" disabled={!hydrated || props.blocked !== null} onClick={() => setAsking(true)}>
        Discard this statement
      </Button>
      {asking ? <DiscardDialog {...props} onClose={() => setAsking(false)} /> : null}
    </p>
  )
}

function DiscardDialog({ id, fileName, lines, confirmed, onClose }: DiscardStatementProps & { onClose: () => void }) {
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
