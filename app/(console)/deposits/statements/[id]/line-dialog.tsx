import { type FormEvent, useState } from 'react'
import { fieldReference, fieldText, TextField } from '#components/form/text-field.tsx'
import { guardForm } from '#components/frame/guard-form.ts'
import { Modal } from '#components/frame/modal.tsx'
import { Button } from '#components/ui/button.tsx'
import { DialogFooter } from '#components/ui/dialog.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import { bankReferenceFault } from '#lib/deposits/deposit.ts'
import { suggestedReason } from '#lib/statements/repeats.ts'
import { reasonFault } from '#lib/statements/statement-view.ts'
import { referenceFault } from '#lib/transactions/transaction.ts'
import { visibleText } from '#lib/values/text.ts'
import { formatCount } from '#lib/values/words.ts'
import type { LineAct } from '../statement-requests.ts'
import type { LineActs, OpenDialog } from './use-line-acts.ts'

interface Asking {
  readonly title: string
  readonly label: string
  readonly help: string
  readonly button: string
  readonly fault: (typed: string) => string | null
  readonly act: (typed: string) => LineAct
}

type Typing = OpenDialog & { readonly what: Exclude<OpenDialog['what'], 'confirm'> }

const asking: Readonly<Record<Typing['what'], Asking>> = {
  reference: {
    title: 'Enter the reference',
    label: 'Reference',
    help: 'The deposit’s full reference, exactly as written.',
    button: 'Look up',
    fault: referenceFault,
    act: (reference) => ({ act: 'reference', reference }),
  },
  'bank-reference': {
    title: 'Enter the bank’s reference',
    label: 'Bank’s reference',
    help: 'The bank’s id for this payment. Each confirms one deposit.',
    button: 'Save',
    fault: bankReferenceFault,
    act: (bankReference) => ({ act: 'bank-reference', bankReference }),
  },
  'set-aside': {
    title: 'Set aside',
    label: 'Reason',
    help: 'Shown to everyone who opens this line.',
    button: 'Set aside',
    fault: (reason) => reasonFault(reason, 'Enter why it is set aside.'),
    act: (reason) => ({ act: 'set-aside', reason }),
  },
  'put-back': {
    title: 'Put back',
    label: 'Reason',
    help: 'Shown in the activity log.',
    button: 'Put back',
    fault: (reason) => reasonFault(reason, 'Enter why it is put back.'),
    act: (reason) => ({ act: 'put-back', reason }),
  },
}

export function LineDialog({ acts, dialog: { what, line } }: { acts: LineActs; dialog: Typing }) {
  const { title, label, help, button, fault, act } = asking[what]
  const [wrong, setWrong] = useState<string | null>(null)
  const isReason = what === 'set-aside' || what === 'put-back'
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const typed = isReason ? fieldText(form, 'typed').trim() : fieldReference(form, 'typed')
    const found = fault(typed)
    setWrong(found)
    if (found === null) void acts.act(line, act(typed))
  }
  return (
    <Modal
      title={`${title}: line ${formatCount(line.number)}`}
      description={
        <>
          {line.amount} {visibleText(line.currency)} {visibleText(line.text)}
          {line.edited === null ? null : (
            <span className="mt-1 block text-xs">
              Last edited by {visibleText(line.edited.by)}, <Timestamp value={line.edited.at} />
            </span>
          )}
        </>
      }
      onClose={acts.close}
    >
      <form ref={guardForm} onSubmit={submit} method="post">
        <div className="px-4.5 pt-3">
          <TextField
            data-first
            label={label}
            name="typed"
            mono={!isReason}
            isReference={!isReason}
            initial={what === 'set-aside' ? suggestedReason(line) : ''}
            help={help}
            fault={wrong ?? (acts.faultLine === line.number ? acts.fault : null)}
          />
        </div>
        <DialogFooter>
          <Button type="submit" aria-disabled={acts.busy === line.number}>
            {acts.busy === line.number ? 'Working' : button}
          </Button>
          <Button variant="ghost" onClick={acts.close}>
            Cancel
          </Button>
        </DialogFooter>
      </form>
    </Modal>
  )
}
