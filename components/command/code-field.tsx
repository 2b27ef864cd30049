'use client'

import { useEffect, useRef, useState } from 'react'
import { useSecond } from '#components/domain/timestamp.tsx'
import { Field } from '#components/ui/field.tsx'

const DIGITS = 6

interface CodeFieldProps {
  fault: string | null
  /** ISO 8601; until then no code is taken. */
  lockedUntil: string | null
  busy: boolean
  onCode: (code: string) => void
}

/** Six digits of an authenticator. Pasting works; the sixth digit submits. */
export function CodeField({ fault, lockedUntil, busy, onCode }: CodeFieldProps) {
  const second = useSecond()
  const [sent, setSent] = useState('')
  const lockedSeconds = lockedUntil === null || second === null ? 0 : Math.ceil(Date.parse(lockedUntil) / 1000 - second)
  const locked = lockedUntil !== null && (second === null || lockedSeconds > 0)
  const type = (text: string) => {
    const code = text.replace(/\D/g, '')
    if (code.length !== DIGITS || code === sent || busy || locked) return
    setSent(code)
    onCode(code)
  }
  const box = useRef<HTMLDivElement>(null)
  // A field that starts over after a rejection takes the focus again.
  useEffect(() => box.current?.querySelector('input')?.focus(), [])
  return (
    <div ref={box}>
      <Field
        label="Code"
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        mono
        maxLength={DIGITS * 2}
        disabled={locked || busy}
        onText={type}
        fault={locked ? lockedWords(lockedSeconds) : fault}
        help={busy ? 'Checking' : 'Six digits from the authenticator. It is sent with the sixth.'}
        data-first
      />
    </div>
  )
}

function lockedWords(seconds: number): string {
  const [minutes, rest] = [Math.floor(Math.max(0, seconds) / 60), Math.max(0, seconds) % 60]
  return `Too many codes were rejected. Codes are taken again in ${minutes}:${String(rest).padStart(2, '0')}.`
}
