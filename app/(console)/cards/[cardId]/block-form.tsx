'use client'

import { type FormEvent, useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { Field } from '#components/ui/field.tsx'
import { fieldText } from '#components/ui/field-text.ts'
import { ASK_REASON, last4Fault } from '#lib/domain/card.ts'
import { noteFault } from '#lib/domain/typed-line.ts'

interface Params {
  readonly last4: string
  readonly reason: string
}

interface BlockFormProps {
  /** Whether the register knows the card; then the digits must be its digits. */
  registered: boolean
  missingScope: string | null
  /** What the console found wrong, by field. */
  faults: Readonly<Record<string, string>>
  checking: boolean
  onPrepare: (params: Params) => void
}

const faultsOf = ({ last4, reason }: Params, registered: boolean) => ({
  last4: last4Fault(last4, registered),
  reason: noteFault(reason, ASK_REASON),
})

/** Last four digits and reason. Where the register does not know the card, the digits stop nobody. */
export function BlockForm({ registered, missingScope, faults, checking, onPrepare }: BlockFormProps) {
  const [typed, setTyped] = useState<Params>({ last4: '', reason: '' })
  const [tried, setTried] = useState(false)
  const own = tried ? faultsOf(typed, registered) : { last4: null, reason: null }

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const params = { last4: fieldText(form, 'last4'), reason: fieldText(form, 'reason') }
    setTyped(params)
    setTried(true)
    const found = faultsOf(params, registered)
    if (missingScope === null && found.last4 === null && found.reason === null) onPrepare(params)
  }
  return (
    <form onSubmit={submit} method="post">
      <div className="grid gap-x-3.5 gap-y-1.5 px-3.5 pt-3.5 pb-1.5 sm:grid-cols-[11rem_1fr]">
        <Field
          label="Last four digits"
          name="last4"
          mono
          inputMode="numeric"
          onText={(last4) => setTyped((now) => ({ ...now, last4 }))}
          fault={own.last4 ?? faults.last4 ?? null}
          help={registered ? 'As the holder reads them out.' : 'Empty if nobody can tell.'}
        />
        <Field
          label="Reason"
          name="reason"
          onText={(reason) => setTyped((now) => ({ ...now, reason }))}
          fault={own.reason ?? faults.reason ?? null}
          help="Who reported it and why. It goes into the journal."
        />
      </div>
      <footer className="flex flex-wrap items-center gap-3 border-line border-t px-3.5 py-3">
        <p className="min-w-48 flex-1 text-ink-3 text-xs">
          {missingScope === null
            ? 'A block is permanent. Only the holder can freeze a card for a while, in their own app.'
            : `You may not block cards: it needs the scope ${missingScope}.`}
        </p>
        <Button type="submit" look="danger" disabled={checking || missingScope !== null}>
          {checking ? 'Checking' : blockWords(typed.last4)}
        </Button>
        {faults.cardId === undefined ? null : (
          <p role="alert" className="w-full text-danger text-sm">
            {faults.cardId}
          </p>
        )}
      </footer>
    </form>
  )
}

const blockWords = (last4: string): string =>
  last4Fault(last4, true) === null ? `Block card ending ${last4.trim()}` : 'Block this card'
