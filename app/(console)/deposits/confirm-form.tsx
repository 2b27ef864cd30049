'use client'

import Link from 'next/link'
import { type FormEvent, useRef, useState } from 'react'
import type { UnsentText } from '#components/domain/use-unsent-text.ts'
import { useAlive } from '#components/ui/alive.ts'
import { Button } from '#components/ui/button.tsx'
import { Field } from '#components/ui/field.tsx'
import { fieldText } from '#components/ui/field-text.ts'
import { amountFaultWords, bankReferenceFault, compareAmounts } from '#lib/domain/deposit.ts'
import { Money } from '#lib/domain/money.ts'
import { AmountComparison } from './amount-comparison.tsx'
import type { DepositFacts } from './deposit-facts.tsx'
import { readStatement, type Statement, writeStatement } from './statement.ts'

interface Params extends Statement {
  readonly referenceId: string
}

interface ConfirmFormProps {
  facts: DepositFacts
  missingScope: string | null
  /** What was typed here before, and where it is kept. */
  typed: UnsentText
  /** What the console found wrong, by field. */
  faults: Readonly<Record<string, string>>
  /** The change that holds what this one wants. */
  heldBy: string | null
  checking: boolean
  onPrepare: (params: Params) => void
}

/** The bank's side of a deposit. A difference between the amounts blocks the button and says by how much. */
export function ConfirmForm({
  facts,
  missingScope,
  typed: unsent,
  faults,
  heldBy,
  checking,
  onPrepare,
}: ConfirmFormProps) {
  const [initial] = useState(() => readStatement(unsent.initial))
  const [{ bankReference, statementAmount }, setStatement] = useState(initial)
  // Both fields may tell of their text in one moment, when the page comes alive.
  const latest = useRef(initial)
  const type = (change: Partial<Statement>) => {
    latest.current = { ...latest.current, ...change }
    setStatement(latest.current)
    unsent.keep(writeStatement(latest.current))
  }
  const [tried, setTried] = useState(false)
  const alive = useAlive()

  const debit = Money.fromWire(facts.debit)
  const typed = Money.fromTyped(statementAmount)
  const comparison = typed.ok && debit !== null ? compareAmounts(typed.money, debit) : null
  const amountFault = typed.ok || (!tried && typed.fault === 'empty') ? null : amountFaultWords[typed.fault]
  const bankFault = tried ? bankReferenceFault(bankReference) : null
  const differs = comparison !== null && !comparison.match

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setTried(true)
    const reference = fieldText(event.currentTarget, 'bankReference')
    const amount = fieldText(event.currentTarget, 'statementAmount')
    setStatement({ bankReference: reference, statementAmount: amount })
    const stated = Money.fromTyped(amount)
    if (missingScope !== null || !stated.ok || bankReferenceFault(reference) !== null) return
    if (debit !== null && !compareAmounts(stated.money, debit).match) return
    onPrepare({ referenceId: facts.reference, bankReference: reference, statementAmount: amount })
  }
  return (
    <form onSubmit={submit} onBlur={unsent.flush} className="border-line border-t">
      <div className="grid gap-x-3.5 px-3.5 pt-3.5 sm:grid-cols-2">
        <Field
          label="Bank’s reference"
          name="bankReference"
          mono
          initial={initial.bankReference}
          onText={(text) => type({ bankReference: text })}
          fault={bankFault ?? faults.bankReference ?? null}
          help="It confirms one deposit, ever, in this console."
        />
        <Field
          label="Amount on the statement"
          name="statementAmount"
          inputMode="decimal"
          className="figures"
          initial={initial.statementAmount}
          onText={(text) => type({ statementAmount: text })}
          fault={amountFault ?? faults.statementAmount ?? null}
          help="As the bank shows it."
          suffix={<span className="text-[11px] text-ink-3">BZD</span>}
        />
      </div>
      <AmountComparison statement={typed.ok ? typed.money : null} debit={debit} comparison={comparison} />
      <footer className="flex flex-wrap items-center gap-3 border-line border-t px-3.5 py-3">
        <p className="min-w-48 flex-1 text-ink-3 text-xs">
          {missingScope === null
            ? 'The money is minted and held for 24 hours. A wrong confirmation can be reversed in that time only.'
            : `You may look, but not confirm: it needs the scope ${missingScope}.`}
        </p>
        <Button type="submit" look="go" disabled={!alive || checking || differs || missingScope !== null}>
          {checking ? 'Checking' : `Confirm deposit of ${debit?.toShown() ?? facts.debit} BZD`}
        </Button>
        {heldBy === null ? null : (
          <p className="w-full text-sm">
            <Link href={`/activity/${heldBy}`} prefetch={false} className="underline underline-offset-4">
              Look at the change that holds it
            </Link>
          </p>
        )}
        {faults.referenceId === undefined ? null : (
          <p role="alert" className="w-full text-danger text-sm">
            {faults.referenceId}
          </p>
        )}
      </footer>
    </form>
  )
}
