'use client'

import { Search } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { type FormEvent, useState, useTransition } from 'react'
import { Button } from '#components/ui/button.tsx'
import { Field } from '#components/ui/field.tsx'
import { fieldText } from '#components/ui/field-text.ts'
import { referenceFault } from '#lib/domain/deposit.ts'

interface LookUpFormProps {
  /** What is looked up now. */
  reference: string
  /** Where a reference leads. */
  to: 'deposits' | 'transactions'
  help: string
}

const addressOf = (to: LookUpFormProps['to'], reference: string): string =>
  to === 'deposits'
    ? `/deposits?${new URLSearchParams({ reference })}`
    : `/transactions/${encodeURIComponent(reference)}`

/** One field for a reference, looked up as exact text; only the space around what was pasted is dropped. */
export function LookUpForm({ reference, to, help }: LookUpFormProps) {
  const router = useRouter()
  const [fault, setFault] = useState<string | null>(null)
  const [looking, startLooking] = useTransition()

  const lookUp = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = fieldText(event.currentTarget, 'reference').trim()
    const wrong = referenceFault(typed)
    setFault(wrong)
    if (wrong !== null) return
    startLooking(() => (typed === reference ? router.refresh() : router.push(addressOf(to, typed))))
  }
  return (
    // Without a script the browser itself submits it, to an address that leads to the same place.
    <form onSubmit={lookUp} action={`/${to}`} className="flex flex-wrap items-start gap-x-3">
      <Field
        className="min-w-48 flex-1"
        label="Reference"
        name="reference"
        mono
        initial={reference}
        fault={fault}
        help={help}
      />
      <Button type="submit" size="field" className="mt-5.5" disabled={looking}>
        <Search aria-hidden />
        {looking ? 'Looking' : 'Look up'}
      </Button>
    </form>
  )
}
