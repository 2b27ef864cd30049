import { type FormEvent, useEffect, useRef } from 'react'
import type { Command } from '#components/command/command-state.ts'
import { EarlierChange } from '#components/command/no-outcome.tsx'
import { loadCommandOutcome, OutcomeOnDemand } from '#components/command/outcome-on-demand.tsx'
import { useCommand } from '#components/command/use-command.ts'
import { Options, SelectField } from '#components/form/select-field.tsx'
import { fieldText, TextField } from '#components/form/text-field.tsx'
import { guardForm } from '#components/frame/guard-form.ts'
import { useAutomaticRefresh } from '#components/service/session-events.ts'
import { Button, SubmitButton } from '#components/ui/button.tsx'
import { FormError } from '#components/ui/field.tsx'
import { Fact, Facts, ReferenceFact, ServiceName } from '#components/values/facts.tsx'
import { MoneyFact } from '#components/values/money.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import type { Room } from '#lib/commands/command.ts'
import type { Transaction } from '#lib/contract/transactions.ts'
import { bankReferenceFault, type HandOver } from '#lib/deposits/deposit.ts'
import { visibleText } from '#lib/values/text.ts'
import { readTypedAmount } from '#lib/values/typed-amount.ts'

type ShownField = 'debit' | 'credit' | 'state' | 'toAccountId' | 'createdAt' | 'note' | 'transactionType'

export interface DepositFacts extends Readonly<Pick<Transaction, ShownField>> {
  readonly reference: string
  readonly fault: string | null
}

/** `compared`: the amount is shown below, beside the bank's amount. */
export function DepositFactsList({ facts, compared }: { facts: DepositFacts; compared: boolean }) {
  const same = facts.debit === facts.credit
  return (
    <Facts className="sm:grid-cols-2 sm:gap-x-8">
      <ReferenceFact
        label="Reference"
        value={facts.reference}
        name="Reference"
        href={`/transactions/${encodeURIComponent(facts.reference)}`}
      />
      <Fact label="Type">
        <ServiceName of="transactionType" name={facts.transactionType} />
      </Fact>
      <ReferenceFact label="Holder" mark value={facts.toAccountId} name="Holder" />
      <Fact label="Announced">
        <Timestamp value={facts.createdAt} as="past" />
      </Fact>
      {same && compared ? null : <MoneyFact label={same ? 'Amount' : 'Sender pays'} value={facts.debit} />}
      {same ? null : <MoneyFact label="Recipient gets" value={facts.credit} />}
      {facts.note === '' ? null : <Fact label="Note">{visibleText(facts.note)}</Fact>}
    </Facts>
  )
}

interface Colleague {
  readonly actor: string
  readonly name: string
}

export interface FoundDeposit {
  readonly facts: DepositFacts
  /** What the operator's limits leave; null if they could not be read. */
  readonly room: readonly Room[] | null
  readonly handOver: HandOver | null
  /** Those whose limits it fits; null if it fits the operator's own. */
  readonly colleagues: readonly Colleague[] | null
}

interface HandOverPartProps extends FoundDeposit {
  typed: () => HandOver['known']
}

export function HandOverPart({ facts: { reference }, handOver, room, colleagues, typed }: HandOverPartProps) {
  const command = useCommand(null, useAutomaticRefresh(), loadCommandOutcome)
  const box = useRef<HTMLDivElement>(null)
  const { state, faults } = command
  const done = state.step === 'outcome' && state.command.outcome.class === 'done'
  const handedAt = `${handOver?.at} ${handOver?.handedBackAt}`
  useEffect(() => {
    // The button that was pressed is gone.
    if (done && handedAt !== '') box.current?.focus()
  }, [done, handedAt])
  const offers = colleagues !== null && (handOver === null || handOver.handedBackAt !== null)
  if (handOver === null && !offers && state.step === 'idle') return null
  const handTo = (to: string, reason: string) => {
    const { bankReference, statementAmount } = typed()
    command.prepare('deposit.hand-over', {
      referenceId: reference,
      to,
      reason,
      // What is not valid yet is no help to the colleague.
      bankReference: bankReferenceFault(bankReference) === null ? bankReference : '',
      statementAmount: readTypedAmount(statementAmount).ok ? statementAmount : '',
    })
  }
  return (
    <div ref={box} tabIndex={-1} className="grid gap-2 border-t px-3.5 py-3 text-sm outline-none">
      {handOver === null ? null : (
        <HandedOver
          handOver={handOver}
          onEnd={() => command.prepare('deposit.hand-back', { referenceId: reference })}
        />
      )}
      {offers && colleagues.length > 0 ? (
        <HandOverForm {...{ colleagues, faults }} step={state.step} onHandOver={handTo} />
      ) : null}
      {offers && colleagues.length === 0 ? <p>{nobodyWords(room ?? [])}</p> : null}
      <FormError fault={faults.referenceId} />
      <EarlierChange id={command.heldBy} />
      {done ? null : <OutcomeOnDemand command={command} onDismiss={command.clear} />}
    </div>
  )
}

function nobodyWords(room: readonly Room[]): string {
  const over = room.flatMap(({ beyond }) => beyond ?? [])
  const who = 'No colleague who signed in within the last 30 days has room for it.'
  if (over.every(({ approvable }) => approvable)) return `${who} Ask for approval instead.`
  return over.some(({ fitsAt }) => fitsAt === null) ? `${who} Ask your administrator.` : `${who} Wait until it fits.`
}

const endWords = { sender: 'Take it back', colleague: 'Hand it back' } as const

function HandedOver({ handOver, onEnd }: { handOver: HandOver; onEnd: () => void }) {
  const { from, to, reader, at, reason, handedBackAt } = handOver
  const [sender, colleague] = [
    reader === 'sender' ? 'you' : visibleText(from),
    reader === 'colleague' ? 'you' : visibleText(to),
  ]
  return (
    <div className="flex flex-wrap items-start justify-between gap-2 sm:flex-nowrap">
      <div className="min-w-0 break-words">
        <p>
          Handed to {colleague} by {sender} <Timestamp value={at} as="past" />
          {handedBackAt === null ? (
            '.'
          ) : (
            <>
              , handed back <Timestamp value={handedBackAt} as="past" />.
            </>
          )}
        </p>
        {reason === '' ? null : <p className="text-secondary-foreground">{visibleText(reason)}</p>}
      </div>
      {reader === null || (reader === 'colleague' && handedBackAt !== null) ? null : (
        <Button variant="outline" size="sm" onClick={onEnd}>
          {handedBackAt === null ? endWords[reader] : 'Dismiss'}
        </Button>
      )}
    </div>
  )
}

interface HandOverFormProps {
  colleagues: readonly Colleague[]
  faults: Readonly<Record<string, string>>
  step: Command['state']['step']
  onHandOver: (to: string, reason: string) => void
}

function HandOverForm({ colleagues, faults, step, onHandOver }: HandOverFormProps) {
  const busy = step === 'checking'
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!busy) onHandOver(fieldText(event.currentTarget, 'to'), fieldText(event.currentTarget, 'handOverReason'))
  }
  return (
    <form
      ref={guardForm}
      data-taken={step === 'outcome'}
      onSubmit={submit}
      className="grid gap-x-3.5 gap-y-1.5 sm:grid-cols-2"
    >
      <SelectField
        label="Hand it to a colleague"
        name="to"
        initial=""
        fault={faults.to ?? null}
        help="Their limits fit this deposit. They decide."
      >
        <option value="">Choose a colleague</option>
        <Options choices={colleagues.map(({ actor, name }) => [actor, visibleText(name)])} />
      </SelectField>
      <TextField
        label="Reason, optional"
        name="handOverReason"
        fault={faults.reason ?? null}
        help="Your colleague sees this."
      />
      <SubmitButton variant="outline" className="justify-self-start" aria-disabled={busy}>
        {busy ? 'Handing over' : 'Hand over'}
      </SubmitButton>
    </form>
  )
}
