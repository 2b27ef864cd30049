import { type FormEvent, useState } from 'react'
import { AnswerDue } from '#components/disputes/case-marks.tsx'
import { fieldText, TextField } from '#components/form/text-field.tsx'
import { Modal } from '#components/frame/modal.tsx'
import { Button } from '#components/ui/button.tsx'
import { DialogFooter } from '#components/ui/dialog.tsx'
import { FormError } from '#components/ui/field.tsx'
import { X } from '#components/ui/icons.tsx'
import { SubmitHint } from '#components/ui/kbd.tsx'
import { serverNowMs } from '#components/values/timestamp.tsx'
import { answerLine } from '#lib/disputes/thread/thread.ts'
import { laterTimeFault } from '#lib/disputes/workspace/workspace.ts'
import { shortId } from '#lib/values/ids.ts'
import { isDay } from '#lib/values/time.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const PROPOSED_HOURS = 168

type Span = readonly [value: string, words: string, hours: number]

const spans: readonly Span[] = [
  ['hour', '1 hour', 1],
  ['day', '1 day', 24],
  ['days', '3 days', 72],
  ['week', '7 days', 168],
]

const answerSpans: readonly Span[] = [
  ['two', '2 days', 48],
  ['five', '5 days', 120],
  ['week', '7 days', 168],
]

interface SnoozeDialogProps {
  caseId: string
  busy: boolean
  faults: Readonly<Record<string, string>>
  /** `until`: the latest end, ISO 8601. */
  onSnooze: (until: string) => void
  onClose: () => void
}

export const SnoozeDialog = ({ caseId, onSnooze, ...props }: SnoozeDialogProps) => (
  <LaterTimeDialog
    {...props}
    title={`Snooze case ${shortId(caseId)}`}
    description="Hidden from your cases until then, or until a party writes. You stay the assignee and can wake it."
    offered={spans}
    preposition="For"
    proposed={PROPOSED_HOURS}
    own={{ words: 'Until a party writes', label: 'At the latest', help: helpOfTime() }}
    button="Snooze the case"
    onChoose={onSnooze}
  />
)

/** `until`: ISO 8601, in whole minutes. */
export const AnswerDialog = ({ onChoose, onClose }: { onChoose: (until: string) => void; onClose: () => void }) => (
  <LaterTimeDialog
    busy={false}
    faults={{}}
    title="Ask for an answer"
    description="The message ends with this time, in UTC. If no party answers by then, the case says so and wakes."
    offered={answerSpans}
    preposition="In"
    chosenFirst="two"
    proposed={48}
    own={{ words: 'At a day and time', label: 'Answer by', help: helpOfTime() }}
    button="Use this time"
    onChoose={(until) => onChoose(`${until.slice(0, 'yyyy-mm-ddThh:mm'.length)}:00.000Z`)}
    onClose={onClose}
  />
)

export const LastLine = ({ until, fault, onRemove }: { until: string; fault: string | null; onRemove: () => void }) => (
  <div role="status" className="mb-1 flex flex-wrap items-center gap-x-1.5 text-xs">
    <span className="text-muted-foreground">Ends with:</span>
    <span className="figures min-w-0">{answerLine(until)}</span>
    <Button variant="ghost" size="icon" aria-label="Remove the deadline" onClick={onRemove} className="size-6 min-h-6">
      <X aria-hidden />
    </Button>
    {fault === null ? null : <span className="text-danger">{fault}</span>}
  </div>
)

export const DueLine = ({ by, busy, onTakeOff }: { by: string; busy: boolean; onTakeOff: (() => void) | null }) => (
  <p role="status" className="flex flex-wrap items-center gap-x-2 border-b px-4 py-1 text-xs">
    <AnswerDue by={by} />
    {onTakeOff === null ? null : (
      <Button
        variant="ghost"
        size="sm"
        aria-label="Take off the answer deadline"
        aria-disabled={busy}
        onClick={() => busy || onTakeOff()}
      >
        Take off
      </Button>
    )}
  </p>
)

interface LaterTimeDialogProps extends Pick<SnoozeDialogProps, 'busy' | 'faults' | 'onClose'> {
  title: string
  description: string
  offered: readonly Span[]
  preposition: string
  /** The choice with a field for a day and time. Default: chosen at first. */
  own: {
    readonly words: string
    readonly label: string
    readonly help?: string
  }
  chosenFirst?: string
  /** Hours from now. */
  proposed: number
  button: string
  onChoose: (until: string) => void
}

function LaterTimeDialog({ busy, faults, offered, own, onChoose, onClose, ...words }: LaterTimeDialogProps) {
  const { chosenFirst = 'answer' } = words
  const [chosen, setChosen] = useState(chosenFirst)
  const [at, setAt] = useState(() => localTime(serverNowMs() + words.proposed * HOUR_MS))
  const [found, setFound] = useState<string | null>(null)
  const [isLeft, setIsLeft] = useState(false)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const typed = fieldText(form, 'at')
    const until = endOfSnooze(chosen, typed, serverNowMs(), offered)
    const wrong = laterTimeFault(until, serverNowMs())
    setFound(wrong)
    setAt(typed)
    setIsLeft(false)
    if (wrong !== null) form.querySelector<HTMLInputElement>('[name="at"]')?.focus()
    else if (!busy) onChoose(until)
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
  const leave = busy ? () => setIsLeft(true) : onClose
  if (busy && isLeft) return null
  const wrong = found ?? faults.until ?? null
  const { words: ownWords, ...field } = own
  const presets = offered.map(([value, span]) => option(value, `${words.preposition} ${span}`))
  return (
    <Modal title={words.title} description={words.description} onClose={leave}>
      <form noValidate onSubmit={submit} className="flex min-h-0 flex-col">
        <fieldset className="min-h-24 overflow-y-auto px-4.5 py-3">
          <legend className="sr-only">Until when</legend>
          {chosenFirst === 'answer' ? null : presets}
          {option('answer', ownWords)}
          <TextField
            {...field}
            name="at"
            initial={at}
            fault={chosen === 'answer' ? wrong : null}
            className={chosen === 'answer' ? 'pl-7' : 'hidden'}
          />
          {chosenFirst === 'answer' ? presets : null}
        </fieldset>
        <FormError fault={faults.caseId ?? (chosen === 'answer' ? null : wrong)} className="px-4.5 pb-3" />
        <DialogFooter>
          <Button type="submit" aria-disabled={busy}>
            {words.button}
            <SubmitHint />
          </Button>
          <Button variant="ghost" onClick={leave}>
            Cancel
          </Button>
        </DialogFooter>
      </form>
    </Modal>
  )
}

const zone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

const helpOfTime = (): string => `Such as 2026-11-30 12:00, in ${zone()}`

/** As the field takes it, in the browser's time zone. */
const localTime = (ms: number): string =>
  new Date(ms - new Date(ms).getTimezoneOffset() * MINUTE_MS)
    .toISOString()
    .slice(0, 'yyyy-mm-ddThh:mm'.length)
    .replace('T', ' ')

/** ISO 8601; empty if no valid time was entered. `at`: the field's text. */
export function endOfSnooze(chosen: string, at: string, nowMs: number, offered = spans): string {
  const span = offered.find(([value]) => value === chosen)
  const typed = /^\s*(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d)?)\s*$/.exec(at)
  // `Date` takes the 31st of a shorter month for a day of the next one.
  const own = isDay(typed?.[1] ?? '') ? `${typed?.[1]}T${typed?.[2]}` : ''
  const end = new Date(span === undefined ? own : nowMs + span[2] * HOUR_MS)
  return Number.isNaN(end.getTime()) ? '' : end.toISOString()
}
