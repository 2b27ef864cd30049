import { type ReactNode, useEffect, useState } from 'react'
import { Modal } from '#components/frame/modal.tsx'
import { Button } from '#components/ui/button.tsx'
import { DialogFooter } from '#components/ui/dialog.tsx'
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '#components/ui/table.tsx'
import type { FoundReferences } from '#lib/statements/statement-view.ts'
import { shownAmount } from '#lib/values/amount-text.ts'
import { visibleText } from '#lib/values/visible-text.ts'
import { acceptFoundReferences, readFoundReferences, type StatementReply } from '../statement-requests.ts'

interface FoundReferencesDialogProps {
  id: string
  onDone: (reply: StatementReply<unknown>) => void
  onClose: () => void
}

/** Shows the text of each line beside the deposit's reference. */
export function FoundReferencesDialog({ id, onDone, onClose }: FoundReferencesDialogProps) {
  const [read, setRead] = useState<StatementReply<{ readonly found: FoundReferences }> | null>(null)
  const [sending, setSending] = useState(false)
  useEffect(() => {
    let isCurrent = true
    void readFoundReferences(id).then((reply) => isCurrent && setRead(reply))
    return () => {
      isCurrent = false
    }
  }, [id])
  const found = read?.ok ? read.value.found : null
  const count = found?.lines.length ?? 0
  const what = `${count.toLocaleString('en-US')} found ${count === 1 ? 'reference' : 'references'}`
  const accept = async () => {
    if (sending || found === null || count === 0) return
    setSending(true)
    onDone(await acceptFoundReferences(id, found.seal))
  }
  return (
    <Modal
      title={found === null ? 'Found references' : `Accept ${what}`}
      description="The text of each line names exactly one queued deposit of the same amount. Accepting confirms nothing: the lines become ready."
      onClose={onClose}
    >
      {read === null ? (
        <p role="status" className="px-4.5 py-3 text-secondary-foreground text-sm">
          Reading the lines
        </p>
      ) : null}
      {read !== null && !read.ok ? (
        <p role="alert" className="px-4.5 py-3 text-sm">
          {read.why}
        </p>
      ) : null}
      {found === null ? null : <FoundLines lines={found.lines} />}
      <DialogFooter>
        <Button data-first aria-disabled={sending || count === 0} onClick={() => void accept()}>
          {sending ? 'Accepting' : `Accept ${what}`}
        </Button>
        <Button variant="ghost" onClick={onClose}>
          Cancel
        </Button>
      </DialogFooter>
    </Modal>
  )
}

const FoundLines = ({ lines }: { lines: FoundReferences['lines'] }) => (
  <section
    aria-label="Found references"
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    tabIndex={0}
    className="mx-4.5 mt-3 max-h-[45dvh] overflow-auto rounded-md border"
  >
    <Table>
      <TableHeader>
        <TableRow>
          {['Line', 'Amount', 'Text of the line', 'Reference of the deposit'].map((title) => (
            <TableHead key={title} className="sticky top-0 bg-muted">
              {title}
            </TableHead>
          ))}
        </TableRow>
      </TableHeader>
      <TableBody>
        {lines.map(({ number, amount, currency, text, given, reference }) => (
          <TableRow key={number} className="[&:last-child>td]:border-b-0">
            <TableCell className="figures text-muted-foreground">{number.toLocaleString('en-US')}</TableCell>
            <TableCell className="figures whitespace-nowrap font-semibold">
              {shownAmount(amount)} {visibleText(currency)}
            </TableCell>
            <TableCell className="min-w-48 break-words text-xs">
              {marked([given, text].join(' ').trim(), reference)}
            </TableCell>
            <TableCell className="mono break-all">{visibleText(reference)}</TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  </section>
)

/** Marks the reference where the text has it as written. */
function marked(text: string, reference: string): ReactNode {
  const at = text.toLowerCase().indexOf(reference.toLowerCase())
  if (at === -1) return visibleText(text)
  const end = at + reference.length
  return (
    <>
      {visibleText(text.slice(0, at))}
      <mark className="bg-attention-wash text-foreground">{visibleText(text.slice(at, end))}</mark>
      {visibleText(text.slice(end))}
    </>
  )
}
