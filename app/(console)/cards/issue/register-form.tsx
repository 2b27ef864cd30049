'use client'

import { type FormEvent, useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { Field } from '#components/ui/field.tsx'
import { fieldText } from '#components/ui/field-text.ts'
import { ASK_HOW_KNOWN, cardIdFault, last4Fault } from '#lib/domain/card.ts'
import { noteFault } from '#lib/domain/typed-line.ts'

interface Told {
  readonly cardId: string
  readonly last4: string
  readonly why: string
}

interface RegisterFormProps {
  /** What the console found wrong, by field. */
  faults: Readonly<Record<string, string>>
  checking: boolean
  onRegister: (told: Told) => void
}

type Faults = Readonly<Record<keyof Told, string | null>>

const fine: Faults = { cardId: null, last4: null, why: null }

/** What a holder reads out of their card, for the register. */
export function RegisterForm({ faults, checking, onRegister }: RegisterFormProps) {
  const [own, setOwn] = useState(fine)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const told = { cardId: fieldText(form, 'cardId'), last4: fieldText(form, 'last4'), why: fieldText(form, 'why') }
    const found: Faults = {
      cardId: cardIdFault(told.cardId),
      last4: last4Fault(told.last4, true),
      why: noteFault(told.why, ASK_HOW_KNOWN),
    }
    setOwn(found)
    if (Object.values(found).every((fault) => fault === null)) onRegister(told)
  }
  return (
    <form
      onSubmit={submit}
      method="post"
      className="grid gap-x-3.5 gap-y-1.5 border-line border-t px-3.5 pt-3.5 sm:grid-cols-[1fr_9rem]"
    >
      <Field
        label="Card id"
        name="cardId"
        mono
        fault={own.cardId ?? faults.cardId ?? null}
        help="As the holder’s app shows it."
      />
      <Field
        label="Last four digits"
        name="last4"
        mono
        inputMode="numeric"
        fault={own.last4 ?? faults.last4 ?? null}
        help="No more than four."
      />
      <Field
        className="sm:col-span-2"
        label="How do you know?"
        name="why"
        fault={own.why ?? faults.why ?? null}
        help="It goes into the journal with your name."
      />
      <div className="pb-3.5">
        <Button type="submit" disabled={checking}>
          {checking ? 'Checking' : 'Register this card'}
        </Button>
      </div>
    </form>
  )
}
