import { type FormEvent, useState } from 'react'
import { fieldText, TextAreaField } from '#components/form/text-field.tsx'
import { Modal } from '#components/frame/modal.tsx'
import { Button } from '#components/ui/button.tsx'
import { DialogFooter } from '#components/ui/dialog.tsx'
import { CircleAlert } from '#components/ui/icons.tsx'
import { SubmitHint } from '#components/ui/kbd.tsx'
import { unreadWords } from '#lib/disputes/unread/thread-state.ts'
import { type Colleague, caseNoteFault, type Person } from '#lib/disputes/workspace/workspace.ts'
import { visibleText } from '#lib/values/visible-text.ts'

interface ReassignDialogProps {
  act: 'Assign' | 'Reassign'
  title: string
  description: string
  people: readonly Colleague[]
  /** Choices beside the people, without a note. */
  others?: readonly Person[]
  busy: boolean
  /** The server's faults in the chosen person and the note. */
  faults: Readonly<Record<string, string>>
  /** Kept by the caller, so that a failed reassignment does not lose it. */
  note: string
  onNote: (note: string) => void
  /** `to` is an actor, or one of the other choices. */
  onReassign: (to: string, note: string) => void
  onClose: () => void
}

export const NO_COLLEAGUES = 'No other colleague signed in or worked on a case in the last 14 days.'

export function loadOf({ cases, overTarget, unread }: Colleague): string {
  const parts = [`${cases.toLocaleString('en-US')} open`]
  if (overTarget > 0) parts.push(`${overTarget.toLocaleString('en-US')} over target`)
  if (unread === null) parts.push('unread not known')
  else if (unread > 0) parts.push(unreadWords(unread))
  return parts.join(', ')
}

const NO_OTHERS: readonly Person[] = []

export function ReassignDialog({ act, people, busy, faults, onReassign, onClose, ...props }: ReassignDialogProps) {
  const { others = NO_OTHERS } = props
  const choices = [
    ...people.map((person) => ({ ...person, load: loadOf(person) })),
    ...others.map((person) => ({ ...person, load: '' })),
  ]
  const [chosen, setChosen] = useState('')
  const [noteFault, setNoteFault] = useState<string | null>(null)
  const name = choices.find(({ actor }) => actor === chosen)?.name
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const note = fieldText(event.currentTarget, 'handover')
    const wrong = note.trim() === '' ? null : caseNoteFault(note)
    setNoteFault(wrong)
    if (!busy && chosen !== '' && wrong === null) onReassign(chosen, note)
  }
  return (
    <Modal title={props.title} description={props.description} onClose={onClose}>
      <form onSubmit={submit} className="flex min-h-0 flex-col">
        <fieldset className="min-h-24 overflow-y-auto px-4.5 py-3">
          <legend className="sr-only">New assignee</legend>
          {people.length === 0 ? <p className="text-secondary-foreground text-sm">{NO_COLLEAGUES}</p> : null}
          {choices.map((person) => (
            <label
              key={person.actor}
              className="flex min-h-8 cursor-pointer items-center gap-2 rounded px-1.5 hover:bg-muted"
            >
              <input
                type="radio"
                name="to"
                value={person.actor}
                checked={person.actor === chosen}
                onChange={() => setChosen(person.actor)}
                className="accent-primary"
              />
              <span className="min-w-0 break-words">{visibleText(person.name)}</span>
              <span className="figures ml-auto shrink-0 text-secondary-foreground text-xs">{person.load}</span>
            </label>
          ))}
        </fieldset>
        {people.length === 0 || others.some(({ actor }) => actor === chosen) ? null : (
          <div className="border-t px-4.5 py-3">
            <TextAreaField
              label="Internal note (optional)"
              name="handover"
              dir="auto"
              initial={props.note}
              onText={props.onNote}
              fault={noteFault ?? faults.note ?? null}
              help="Saved permanently, visible to staff only."
            />
          </div>
        )}
        {faults.to === undefined ? null : (
          <p role="alert" className="flex gap-1.5 px-4.5 pb-3 text-danger text-sm">
            <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
            {faults.to}
          </p>
        )}
        <DialogFooter>
          <Button type="submit" aria-disabled={busy || chosen === ''} className="max-w-full">
            <span className="truncate">
              {name === undefined ? 'Choose an assignee' : `${act} to ${visibleText(name)}`}
            </span>
            <SubmitHint />
          </Button>
          <Button variant="ghost" onClick={onClose}>
            Cancel
          </Button>
        </DialogFooter>
      </form>
    </Modal>
  )
}
