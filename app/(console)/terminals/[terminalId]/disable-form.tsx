'use client'

import { type FormEvent, useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { Field } from '#components/ui/field.tsx'
import { fieldText } from '#components/ui/field-text.ts'
import { ASK_WHY_DISABLE } from '#lib/domain/terminal.ts'
import { noteFault } from '#lib/domain/typed-line.ts'

interface DisableFormProps {
  name: string
  missingScope: string | null
  /** What the console found wrong, by field. */
  faults: Readonly<Record<string, string>>
  checking: boolean
  onPrepare: (reason: string) => void
}

/** Why a reader is stopped for good. */
export function DisableForm({ name, missingScope, faults, checking, onPrepare }: DisableFormProps) {
  const [own, setOwn] = useState<string | null>(null)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const reason = fieldText(event.currentTarget, 'reason')
    const found = noteFault(reason, ASK_WHY_DISABLE)
    setOwn(found)
    if (missingScope === null && found === null) onPrepare(reason)
  }
  return (
    <form onSubmit={submit} method="post">
      <div className="px-3.5 pt-3.5 pb-1.5">
        <Field
          label="Reason"
          name="reason"
          fault={own ?? faults.reason ?? null}
          help="Lost, stolen or retired, and who reported it. It goes into the journal."
        />
      </div>
      <footer className="flex flex-wrap items-center gap-3 border-line border-t px-3.5 py-3">
        <p className="min-w-48 flex-1 text-ink-3 text-xs">
          {missingScope === null
            ? 'The reader stops taking cards. No operation leads back.'
            : `You may look, but not disable: it needs the scope ${missingScope}.`}
        </p>
        <Button type="submit" look="danger" disabled={checking || missingScope !== null} className="max-w-full">
          <span className="truncate">{checking ? 'Checking' : `Disable terminal ${name}`}</span>
        </Button>
        {faults.terminalId === undefined ? null : (
          <p role="alert" className="w-full text-danger text-sm">
            {faults.terminalId}
          </p>
        )}
      </footer>
    </form>
  )
}
