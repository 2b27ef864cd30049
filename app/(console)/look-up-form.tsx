'use client'

import { useRouter } from 'next/navigation'
import { type FormEvent, useState, useTransition } from 'react'
import { fieldReference } from '#components/form/field-text.ts'
import { TextField } from '#components/form/text-field.tsx'
import { Button } from '#components/ui/button.tsx'
import { Search } from '#components/ui/icons.tsx'
import { useHydrated } from '#components/ui/use-hydrated.ts'
import { merchantIdFault } from '#lib/terminals/terminal.ts'
import { referenceFault } from '#lib/transactions/reference.ts'
import { userIdFault } from '#lib/values/user-id.ts'
import { cleanReference } from '#lib/values/visible-text.ts'

interface Place {
  readonly label: string
  /** The name in the address when the browser itself submits the form. */
  readonly name: string
  readonly fault: (typed: string) => string | null
  readonly address: (typed: string) => string
}

const reference = { label: 'Reference', name: 'reference', fault: referenceFault }

/** What is looked up in each area, and where it leads. */
const places = {
  deposits: { ...reference, address: (typed) => `/deposits?${new URLSearchParams({ reference: typed })}` },
  transactions: { ...reference, address: (typed) => `/transactions/${encodeURIComponent(typed)}` },
  users: {
    label: 'User id',
    name: 'id',
    fault: userIdFault,
    address: (typed) => `/users/${encodeURIComponent(typed)}`,
  },
  terminals: {
    label: 'Merchant',
    name: 'merchant',
    fault: merchantIdFault,
    address: (typed) => `/terminals?${new URLSearchParams({ merchant: typed })}`,
  },
} as const satisfies Record<string, Place>

interface LookUpFormProps {
  /** The text of the address; null without one. An empty text gets the fault that says what is missing. */
  value: string | null
  to: keyof typeof places
  help: string
  /** The field is what the page is for, or has to be corrected. */
  takesFocus?: boolean
}

/** One field for a reference or id of the service, looked up exactly but for invisible characters and surrounding space. */
export function LookUpForm({ value, to, help, ...props }: LookUpFormProps) {
  const router = useRouter()
  const place: Place = places[to]
  const valueFault = value === null ? null : place.fault(cleanReference(value))
  const { takesFocus = value === null || valueFault !== null } = props
  const [fault, setFault] = useState(valueFault)
  const [looking, startLooking] = useTransition()
  // From then on the words of the page replace those of the browser.
  const hydrated = useHydrated()

  const lookUp = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = fieldReference(event.currentTarget, place.name)
    const wrong = place.fault(typed)
    setFault(wrong)
    if (wrong !== null) return
    startLooking(() => (typed === value ? router.refresh() : router.push(place.address(typed))))
  }
  return (
    // Without a script the browser itself submits it, to an address that leads to the same place.
    <form onSubmit={lookUp} action={`/${to}`} noValidate={hydrated} className="flex flex-wrap items-start gap-x-3">
      <TextField
        className="min-w-48 flex-1"
        label={place.label}
        name={place.name}
        mono
        isReference
        initial={value ?? ''}
        fault={fault}
        help={help}
        takesFocus={takesFocus}
      />
      <Button variant="outline" type="submit" size="field" className="mt-5.5" disabled={looking}>
        <Search aria-hidden />
        {looking ? 'Looking' : 'Look up'}
      </Button>
    </form>
  )
}
