import { type FormEvent, useState } from 'react'
import { fieldText, TextField } from '#components/form/text-field.tsx'
import { Modal } from '#components/frame/modal.tsx'
import { Button } from '#components/ui/button.tsx'
import { DialogFooter } from '#components/ui/dialog.tsx'
import { FormError } from '#components/ui/field.tsx'
import { SubmitHint } from '#components/ui/kbd.tsx'
import { serverNowMs } from '#components/values/timestamp.tsx'
import { snoozeFault } from '#lib/disputes/workspace/workspace.ts'
import { shortId } from '#lib/values/ids.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const PROPOSED_HOURS = 168

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
  /** The server's faults. */
  faults: Readonly<Record<string, string>>
  /** `until`: the latest end, ISO 8601. */
  onSnooze: (until: string) => void
  onClose: () => void
}

export function SnoozeDialog({ caseId, busy, faults, onSnooze, onClose }: SnoozeDialogProps) {
  const [chosen, setChosen] = useState('answer')
  const [proposed] = useState(() => localTime(serverNowMs() + PROPOSED_HOURS * HOUR_MS))
  const [own, setOwn] = useState<string | null>(null)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const until = endOfSnooze(chosen, fieldText(form, 'at'), serverNowMs())
    const wrong = snoozeFault(until, serverNowMs())
    setOwn(wrong)
    if (wrong !== null) form.querySelector<HTMLInputElement>('[name="at"]')?.focus()
    else if (!busy) onSnooze(until)
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
  const wrong = own ?? faults.until ?? null
  return (
    <Modal
      title={`Snooze case ${shortId(caseId)}`}
      description="Hidden from your cases until then, or until a party writes. You stay the assignee and can wake it."
      onClose={onClose}
    >
      <form noValidate onSubmit={submit} className="flex min-h-0 flex-col">
        <fieldset className="min-h-24 overflow-y-auto px-4.5 py-3">
          <legend className="sr-only">Until when</legend>
          {option('answer', 'Until a party writes')}
          <TextField
            label="At the latest, in your time zone"
            name="at"
            type="datetime-local"
            initial={proposed}
            fault={chosen === 'answer' ? wrong : null}
            className={chosen === 'answer' ? 'pl-7' : 'hidden'}
          />
          {spans.map(([value, words]) => option(value, `For ${words}`))}
        </fieldset>
        <FormError fault={faults.caseId ?? (chosen === 'answer' ? null : wrong)} className="px-4.5 pb-3" />
        <DialogFooter>
          <Button type="submit" aria-disabled={busy}>
            Snooze the case
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

/** As a `datetime-local` field writes it, in the browser's time zone. */
const localTime = (ms: number): string =>
  new Date(ms - new Date(ms).getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length)

/** ISO 8601; empty if no valid time was entered. `at`: the field's text. */
export function endOfSnooze(chosen: string, at: string, nowMs: number): string {
  const span = spans.find(([value]) => value === chosen)
  const end = span === undefined ? new Date(at) : new Date(nowMs + span[2] * HOUR_MS)
  return Number.isNaN(end.getTime()) ? '' : end.toISOString()
}
