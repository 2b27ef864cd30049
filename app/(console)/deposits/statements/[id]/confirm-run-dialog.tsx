import { useState } from 'react'
import { Modal } from '#components/frame/modal.tsx'
import { Button } from '#components/ui/button.tsx'
import { DialogFooter } from '#components/ui/dialog.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import { limitSentence } from '#lib/commands/policy/rule-words.ts'
import { DEPOSIT_HOLD_HOURS } from '#lib/contract/states.ts'
import { visibleText } from '#lib/values/text.ts'
import { counted, formatCount } from '#lib/values/words.ts'
import type { ReadyLines } from './use-line-acts.ts'

interface ConfirmRunDialogProps extends Pick<ReadyLines, 'byHand' | 'apart' | 'edited' | 'limits'> {
  /** States the number of deposits and their sum. */
  title: string
  what: string
  single: boolean
  /** Nothing is ready now: other work has begun, or the lines are confirmed. */
  blocked: boolean
  /** The page shows other lines than this dialog. */
  hasChanged: boolean
  onConfirm: () => void
  onClose: () => void
}

export function ConfirmRunDialog(props: ConfirmRunDialogProps) {
  const { title, what, single, hasChanged, byHand, apart, edited, limits, onConfirm, onClose } = props
  const [sending, setSending] = useState(false)
  const blocked = props.blocked || hasChanged
  return (
    <Modal
      title={title}
      description={
        single
          ? 'It is checked again, then confirmed as the line shows.'
          : 'Each is checked again, then confirmed as its line shows.'
      }
      onClose={() => sending || onClose()}
    >
      <p className="px-4.5 py-3 text-secondary-foreground text-sm">
        {single ? 'The' : 'Every'} balance is minted and held for {DEPOSIT_HOLD_HOURS} hours. A reversal is possible
        only in that time, not from this console. It continues if you leave the page
        {single ? '.' : ' and can be stopped after any line.'}
      </p>
      {edited.length === 0 ? null : (
        <section className="max-h-40 overflow-y-auto border-t px-4.5 py-3 text-sm">
          <h3 className="font-semibold">Edited lines</h3>
          <ul className="text-secondary-foreground">
            {edited.map(({ number, by, at }) => (
              <li key={number} className="break-words">
                Line {formatCount(number)}, last by {visibleText(by)}, <Timestamp value={at} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {limits.map((limit) => (
        <p key={limitSentence(limit)} className="border-t px-4.5 py-3 text-secondary-foreground text-sm">
          {limitSentence(limit)} The run stops at the first line over the limit.
        </p>
      ))}
      {apart === 0 ? null : (
        <p className="border-t bg-attention-wash px-4.5 py-3 text-sm">
          {formatCount(apart)} of them {apart === 1 ? 'needs' : 'need'} an approval or a passkey and{' '}
          {apart === 1 ? 'is' : 'are'} not included: confirm each separately.
        </p>
      )}
      {byHand === 0 ? null : (
        <p className="border-t bg-attention-wash px-4.5 py-3 text-sm">
          {counted(byHand, 'line is', 'lines are')} not included: the reference was entered or accepted by hand. Confirm
          each separately.
        </p>
      )}
      {hasChanged && !sending ? (
        <p role="alert" className="border-t bg-attention-wash px-4.5 py-3 text-attention text-sm">
          The lines have changed. Close this and check them again.
        </p>
      ) : null}
      <DialogFooter>
        {/* At the left, away from the button that opened the dialog, so that a double click does not confirm. */}
        <Button
          aria-disabled={sending || blocked}
          onClick={() => {
            if (sending || blocked) return
            setSending(true)
            onConfirm()
          }}
        >
          {sending ? 'Starting' : `Confirm ${what}`}
        </Button>
        <Button variant="ghost" onClick={() => sending || onClose()} aria-disabled={sending}>
          Cancel
        </Button>
      </DialogFooter>
    </Modal>
  )
}
