import { type ComponentProps, Fragment, type ReactNode, useEffect, useState } from 'react'
import { Modal } from '#components/frame/modal.tsx'
import { Button } from '#components/ui/button.tsx'
import { DialogFooter } from '#components/ui/dialog.tsx'
import { PlainTable } from '#components/ui/table.tsx'
import type { FoundReferences } from '#lib/statements/statement-view.ts'
import { shownAmount } from '#lib/values/amount-text.ts'
import { visibleText } from '#lib/values/text.ts'
import { counted, formatCount } from '#lib/values/words.ts'
import { acceptFoundReferences, readFoundReferences, type StatementReply } from '../statement-requests.ts'

type FoundReply = StatementReply<{ readonly found: FoundReferences }>

interface FoundReferencesDialogProps {
  id: string
  onDone: (reply: StatementReply<unknown>) => void
  onClose: () => void
}

/** Shows the text of each line beside the deposit's reference. */
export function FoundReferencesDialog({ id, onDone, onClose }: FoundReferencesDialogProps) {
  const [read, setRead] = useState<FoundReply | null>(null)
  const [sending, setSending] = useState(false)
  useEffect(() => {
    if (read !== null) return
    let isCurrent = true
    void readFoundReferences(id).then((reply) => isCurrent && setRead(reply))
    return () => {
      isCurrent = false
    }
  }, [id, read])
  const accept = async (seal: string) => {
    setSending(true)
    onDone(await acceptFoundReferences(id, seal))
  }
  const { lines = [] } = read?.ok ? read.value.found : {}
  return (
    <Modal
      title={lines.length === 0 ? 'Found references' : `Accept ${foundWords(lines.length)}`}
      description="Each line names exactly one queued deposit of the same amount. Accepting confirms nothing: the lines become ready."
      onClose={() => sending || onClose()}
    >
      <FoundReferencesBody
        read={read}
        sending={sending}
        onAccept={(seal) => void accept(seal)}
        onAgain={() => setRead(null)}
        onClose={onClose}
      />
    </Modal>
  )
}

const foundWords = (count: number): string => counted(count, 'found reference')

interface FoundReferencesBodyProps {
  read: FoundReply | null
  sending: boolean
  onAccept: (seal: string) => void
  onAgain: () => void
  onClose: () => void
}

export function FoundReferencesBody({ read, sending, onAccept, onAgain, onClose }: FoundReferencesBodyProps) {
  const isEmpty = read?.ok === true && read.value.found.lines.length === 0
  const layout = (content: ReactNode, button: string, act: (() => void) | null) => (
    <>
      {content}
      <DialogFooter>
        {/* The same element in every state, so that it keeps the focus. */}
        <Button data-first aria-disabled={act === null} onClick={() => act?.()}>
          {button}
        </Button>
        {isEmpty ? null : (
          <Button variant="ghost" onClick={() => sending || onClose()} aria-disabled={sending}>
            Cancel
          </Button>
        )}
      </DialogFooter>
    </>
  )
  if (read === null) return layout(<Message role="status">Reading the lines</Message>, 'Reading…', null)
  if (!read.ok) return layout(<Message role="alert">{read.why}</Message>, 'Try again', onAgain)
  const { lines, seal } = read.value.found
  if (isEmpty) return layout(<Message role="status">No found references are left to accept.</Message>, 'Close', onClose)
  const words = sending ? 'Accepting' : `Accept ${foundWords(lines.length)}`
  return layout(<FoundLines lines={lines} />, words, sending ? null : () => onAccept(seal))
}

const Message = (props: ComponentProps<'p'>) => <p className="px-4.5 py-3 text-sm" {...props} />

const FoundLines = ({ lines }: { lines: FoundReferences['lines'] }) => (
  <PlainTable
    label="Found references"
    columns={[
      { title: 'Line', head: 'sticky top-0 w-1/4 bg-muted', cell: 'figures py-1.5 align-top' },
      {
        title: 'Text of the line',
        head: 'sticky top-0 bg-muted',
        cell: 'whitespace-normal break-words py-1.5 align-top text-xs',
      },
      {
        title: 'Deposit',
        head: 'sticky top-0 w-1/3 bg-muted',
        cell: 'mono whitespace-normal break-all py-1.5 align-top text-xs',
      },
    ]}
    rows={lines.map(({ number, amount, currency, text, given, reference }) => [
      <Fragment key="line">
        <span className="text-muted-foreground">{formatCount(number)}</span>
        <span className="block break-words font-semibold">
          {shownAmount(amount)} {visibleText(currency)}
        </span>
      </Fragment>,
      marked([given, text].join(' ').trim(), reference),
      visibleText(reference),
    ])}
    className="mx-4.5 my-3 max-h-[45dvh] overflow-auto rounded-md border"
    tableClass="table-fixed"
  />
)

/** Marks the reference, which the text may have with spaces. */
function marked(text: string, reference: string): ReactNode {
  const letters = [...reference.replaceAll(/\s/gu, '')].map((letter) => letter.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&'))
  const found = new RegExp(letters.join('\\s*'), 'iu').exec(text)
  if (found === null) return visibleText(text)
  const end = found.index + found[0].length
  return (
    <>
      {visibleText(text.slice(0, found.index))}
      <mark className="bg-attention-wash text-foreground">{visibleText(found[0])}</mark>
      {visibleText(text.slice(end))}
    </>
  )
}
