'use client'

import { useRouter } from 'next/navigation'
import { type FormEvent, useState, useTransition } from 'react'
import { fieldReference, TextField } from '#components/form/text-field.tsx'
import { SubmitButton } from '#components/ui/button.tsx'
import { Search } from '#components/ui/icons.tsx'
import { merchantIdFault } from '#lib/terminals/terminal.ts'
import { referenceFault } from '#lib/transactions/transaction.ts'
import { userIdFault } from '#lib/values/ids.ts'
import { cleanReference, lookUpFault } from '#lib/values/text.ts'

interface Place {
  readonly label: string
  readonly name: string
  readonly fault: (typed: string) => string | null
  readonly address: (typed: string) => string
}

const reference = { label: 'Reference', name: 'reference', fault: referenceFault }

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
  /** Null when the address has no such parameter. An empty string gets the fault for a missing value. */
  value: string | null
  to: keyof typeof places
  help: string
  /** Defaults to true when there is no value or it is invalid. */
  takesFocus?: boolean
}

/** Looks up one reference or id exactly. Submitted only by script, so that no card number gets into an address. */
export function LookUpForm({ value, to, help, ...props }: LookUpFormProps) {
  const router = useRouter()
  const place: Place = places[to]
  const valueFault = value === null ? null : place.fault(cleanReference(value))
  const { takesFocus = value === null || valueFault !== null } = props
  const [fault, setFault] = useState(valueFault)
  const [looking, startLooking] = useTransition()

  const lookUp = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = fieldReference(event.currentTarget, place.name)
    const wrong = place.fault(typed) ?? (place.name === 'reference' && typed !== value ? lookUpFault(typed) : null)
    setFault(wrong)
    if (wrong !== null || looking) return
    startLooking(() => (typed === value ? router.refresh() : router.push(place.address(typed))))
  }
  return (
    <form onSubmit={lookUp} className="flex flex-wrap items-start gap-x-3">
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
      <SubmitButton variant="outline" size="field" className="mt-5.5" aria-disabled={looking}>
        <Search aria-hidden />
        {looking ? 'Looking' : 'Look up'}
      </SubmitButton>
    </form>
  )
}
