import { type FormEvent, useEffect, useRef, useState } from 'react'
import { fieldText, TextField } from '#components/form/text-field.tsx'
import { Button } from '#components/ui/button.tsx'
import { Loader, TriangleAlert } from '#components/ui/icons.tsx'
import { serverNowMs, useSecondsLeft } from '#components/values/timestamp.tsx'
import { isWholeCode, type LockAhead, lockAheadWords, readCode, TYPED_CODE_MAX_CHARS } from '#lib/commands/code.ts'
import type { StepUpOutcome } from '#lib/commands/command.ts'
import type { Command } from './command-state.ts'

/** Null when codes are accepted now. */
type Lock = Pick<StepUpOutcome, 'lockedSeconds'> | null

const arrivals = new WeakMap<object, number>()

/** Counts from when the lock arrived, however late the component shows it. */
export function useLockSeconds(lock: Lock): number {
  const [sinceMs, setSinceMs] = useState<number | null>((lock && arrivals.get(lock)) ?? null)
  useEffect(() => {
    if (lock === null) return
    if (!arrivals.has(lock)) arrivals.set(lock, serverNowMs())
    setSinceMs(arrivals.get(lock) ?? null)
  }, [lock])
  return useSecondsLeft(lock?.lockedSeconds ?? null, sinceMs)
}

interface CodeFieldProps {
  fault: string | null
  lock: Lock
  warning?: string | null
  digits: number | null
  busy: boolean
  /** Null when a button elsewhere submits the form. */
  button?: string | null
  formId?: string
  takesFocus?: boolean
  onCode: (code: string) => void
}

export function CodeField({
  fault,
  lock,
  warning = null,
  digits,
  busy,
  button = 'Send the code',
  formId,
  takesFocus = true,
  onCode,
}: CodeFieldProps) {
  const left = useLockSeconds(lock)
  const [sent, setSent] = useState('')
  const [wrong, setWrong] = useState<string | null>(null)
  const [wasBusy, setWasBusy] = useState(busy)
  if (busy !== wasBusy) {
    setWasBusy(busy)
    if (!busy) setSent('')
  }
  const locked = left > 0
  const send = (code: string) => {
    if (busy || locked || code === sent) return
    setSent(code)
    onCode(code)
  }
  const type = (text: string) => {
    setWrong(null)
    const code = readCode(text)
    if (code !== null && isWholeCode(text, digits)) send(code)
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const code = readCode(fieldText(event.currentTarget, 'code'))
    setWrong(code === null ? 'Enter the code from your authenticator app.' : null)
    if (code !== null) send(code)
  }
  const box = useRef<HTMLFormElement>(null)
  // The field remounts after a rejection and takes the focus.
  useEffect(() => {
    if (takesFocus) box.current?.querySelector('input')?.focus()
  }, [takesFocus])
  return (
    <form ref={box} id={formId} onSubmit={submit}>
      <TextField
        label="Code"
        name="code"
        inputMode={digits === null ? 'text' : 'numeric'}
        autoComplete="one-time-code"
        autoCapitalize="off"
        spellCheck={false}
        mono
        className="[&_input]:text-xl [&_input]:leading-7 [&_input]:tracking-[0.3em]"
        maxLength={TYPED_CODE_MAX_CHARS}
        aria-disabled={locked}
        readOnly={busy || locked}
        onText={type}
        fault={locked ? lockedWords(left) : (wrong ?? fault)}
        help={busy ? 'Checking' : helpWords(digits)}
        data-first
      />
      {warning === null || locked ? null : (
        <p role="alert" className="mb-3 flex gap-2 text-attention text-sm">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          {warning}
        </p>
      )}
      {button === null ? null : (
        <Button type="submit" aria-disabled={busy || locked}>
          {busy ? <Loader aria-hidden className="animate-spin" /> : null}
          {button}
        </Button>
      )}
    </form>
  )
}

const helpWords = (digits: number | null): string =>
  digits === null
    ? 'Code from your authenticator app.'
    : `${digits}-digit code from your authenticator app. The last digit sends it.`

function lockedWords(seconds: number): string {
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60]
  return `Too many codes were rejected. Codes are taken again in ${minutes}:${String(rest).padStart(2, '0')}.`
}

/** Rejected codes of one change. A rejection is shown beside the field, and the next code starts a new command. */
export interface RejectedCodes {
  /** The current code was rejected. */
  readonly rejected: boolean
  /** The id of the last rejected command; kept while the next one is in progress. */
  readonly latest: string | null
}

export function useRejectedCodes({ state }: Command): RejectedCodes {
  const [latest, setLatest] = useState<string | null>(null)
  const outcome = state.step === 'outcome' ? state.command.outcome : null
  const rejected = outcome?.class === 'refused' && outcome.problem?.code === 'core::gatekeeper::code::invalid'
  if (rejected && state.step === 'outcome' && state.command.id !== latest) setLatest(state.command.id)
  return { rejected, latest }
}

/** If the service does not announce the next lockout, the warning appears only after a first rejection. */
export const lockWarning = ({ latest }: RejectedCodes, ahead: LockAhead): string | null =>
  ahead.isNext === null && latest === null ? null : lockAheadWords(ahead)
