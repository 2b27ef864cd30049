'use client'

import { CircleAlert } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Modal } from '#components/frame/modal.tsx'
import { Button } from '#components/ui/button.tsx'
import { DialogFooter } from '#components/ui/dialog.tsx'
import type { Person } from '#lib/disputes/workspace/workspace.ts'
import { endOf } from '#lib/values/uuid.ts'
import { visibleText } from '#lib/values/visible-text.ts'

interface ReassignDialogProps {
  caseId: string
  people: readonly Person[]
  busy: boolean
  /** What the console found wrong with the one who was chosen. */
  fault: string | null
  /** Told the actor. */
  onReassign: (to: string) => void
  onClose: () => void
}

/** Chooses who gets one's own case. */
export function ReassignDialog({ caseId, people, busy, fault, onReassign, onClose }: ReassignDialogProps) {
  const [chosen, setChosen] = useState('')
  const name = people.find(({ actor }) => actor === chosen)?.name
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!busy && chosen !== '') onReassign(chosen)
  }
  return (
    <Modal
      title={`Reassign case ${endOf(caseId)}`}
      description="The new assignee sees it within seconds, and may reassign or unassign it."
      onClose={onClose}
    >
      <form onSubmit={submit} className="flex min-h-0 flex-col">
        <fieldset className="min-h-0 overflow-y-auto px-4.5 py-3">
          <legend className="sr-only">To whom</legend>
          {people.length === 0 ? (
            <p className="text-secondary-foreground text-sm">
              Nobody else has a session here, or worked on a case in the last fourteen days. Unassign it, and anybody
              may have it assigned.
            </p>
          ) : (
            people.map((person) => (
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
              </label>
            ))
          )}
        </fieldset>
        {fault === null ? null : (
          <p role="alert" className="flex gap-1.5 px-4.5 pb-3 text-danger text-sm">
            <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
            {fault}
          </p>
        )}
        <DialogFooter>
          <Button type="submit" aria-disabled={busy || chosen === ''} className="max-w-full">
            <span className="truncate">
              {name === undefined ? 'Choose an assignee' : `Reassign to ${visibleText(name)}`}
            </span>
          </Button>
          <Button variant="ghost" onClick={onClose}>
            Cancel
          </Button>
        </DialogFooter>
      </form>
    </Modal>
  )
}
