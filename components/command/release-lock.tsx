'use client'

import { type FormEvent, useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { Field } from '#components/ui/field.tsx'
import { fieldText } from '#components/ui/field-text.ts'
import { noteFault } from '#lib/domain/typed-line.ts'

interface ReleaseLockProps {
  /** What is kept, in words. */
  keeps: string
  onRelease: (why: string) => void
}

/** For a change of which no effect shows: what it keeps taken is freed by a person, who says why. */
export function ReleaseLock({ keeps, onRelease }: ReleaseLockProps) {
  const [fault, setFault] = useState<string | null>(null)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const why = fieldText(event.currentTarget, 'why').trim()
    const wrong = noteFault(why, 'Say why it may be freed, for example who looked at the bank.')
    setFault(wrong)
    if (wrong === null) onRelease(why)
  }
  return (
    <form onSubmit={submit} className="grid gap-1 border-line border-t px-3.5 py-3">
      <p className="text-ink-2 text-sm">
        {keeps}, because an effect may still show. Once freed it can confirm another deposit: if both take effect, the
        money is credited twice.
      </p>
      <Field
        label="Why may it be freed?"
        name="why"
        fault={fault}
        help="The service is looked at first. It goes into the journal with your name."
      />
      <div>
        <Button type="submit" look="danger">
          Free it
        </Button>
      </div>
    </form>
  )
}
