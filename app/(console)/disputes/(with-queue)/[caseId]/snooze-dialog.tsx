import { type FormEvent, useState } from 'react'
import { fieldText, TextField } from '#components/form/text-field.tsx'
import { Modal } from '#components/frame/modal.tsx'
import { Button } from '#components/ui/button.tsx'
import { DialogFooter } from '#components/ui/dialog.tsx'
import { CircleAlert } from '#components/ui/icons.tsx'
import { serverNowMs } from '#components/values/timestamp.tsx'
import { snoozeFault } from '#lib/disputes/workspace/workspace.ts'
import { shortId } from '#lib/values/ids.ts'

const HOUR_MS = 3_600_000

/** Value, label, hours. */
const spans = [
  ['hour', '1 hour', 1],
  ['day', '1 day', 24],
  ['days', '3 days', 72],
  ['week', '7 days', 168],
] as const

interface SnoozeDialogProps {
  caseId: string
  busy: boolean
  fault: string | null
  /** Receives the end (ISO 8601), or an empty string for "until an answer". */
  onSnooze: (until: string) => void
  onClose: () => void
}

export function SnoozeDialog({ caseId, busy, fault, onSnooze, onClose }: SnoozeDialogProps) {
  const [chosen, setChosen] = useState('answer')
  const [own, setOwn] = useState<string | null>(null)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const until = endOfSnooze(chosen, fieldText(event.currentTarget, 'at'))
    const wrong = until === null ? 'Enter a day and a time.' : snoozeFault(until, serverNowMs())
    setOwn(wrong)
    if (until !== null && wrong === null && !busy) onSnooze(until)
  }
  const option = (value: string, words: string) => (
    <label key={value} className="flex min-h-8 cursor-pointer items-center gap-2 rounded px-1.5 hover:bg-muted">
      <input
        type="radio"
        name="snooze"
        value={value}
        checked={value === chosen}
        onChange={() => setChosen(value)}
        className="accent-primary"
      />
      {words}
    </label>
  )
  const wrong = own ?? fault
  return (
    <Modal
      title={`Snooze case ${shortId(caseId)}`}
      description="Hidden from your cases until then. You stay the assignee and can wake it."
      onClose={onClose}
    >
      <form onSubmit={submit} className="flex min-h-0 flex-col">
        <fieldset className="min-h-24 overflow-y-auto px-4.5 py-3">
          <legend className="sr-only">Until when</legend>
          {option('answer', 'Until a party writes')}
          {spans.map(([value, words]) => option(value, `For ${words}`))}
          {option('time', 'Until a time')}
          {chosen === 'time' ? (
            <TextField label="Day and time, in your time zone" name="at" type="datetime-local" />
          ) : null}
        </fieldset>
        {wrong === null ? null : (
          <p role="alert" className="flex gap-1.5 px-4.5 pb-3 text-danger text-sm">
            <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
            {wrong}
          </p>
        )}
        <DialogFooter>
          <Button type="submit" aria-disabled={busy}>
            Snooze the case
          </Button>
          <Button variant="ghost" onClick={onClose}>
            Cancel
          </Button>
        </DialogFooter>
      </form>
    </Modal>
  )
}

/** ISO 8601, or an empty string for "until an answer"; null when no valid time was entered. */
function endOfSnooze(chosen: string, at: string): string | null {
  if (chosen === 'answer') return ''
  const span = spans.find(([value]) => value === chosen)
  const end = span === undefined ? new Date(at) : new Date(serverNowMs() + span[2] * HOUR_MS)
  return Number.isNaN(end.getTime()) ? null : end.toISOString()
}
