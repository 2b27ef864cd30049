import { type FormEvent, useState } from 'react'
import { CommandOutcome } from '#components/command/command-outcome.tsx'
import type { Command } from '#components/command/command-state.ts'
import { useCommand } from '#components/command/use-command.ts'
import { fieldReference, fieldText, TextField } from '#components/form/text-field.tsx'
import { guardForm } from '#components/frame/guard-form.ts'
import { Panel, TextLink } from '#components/frame/panel.tsx'
import { Button, SubmitButton } from '#components/ui/button.tsx'
import { CardFooter } from '#components/ui/card.tsx'
import { ASK_HOW_KNOWN, cardIdFault, last4Fault } from '#lib/cards/card.ts'
import type { CommandView } from '#lib/commands/command.ts'
import { noteFault } from '#lib/values/text.ts'

interface ManualCardRegistrationProps {
  /** An issue without a known card. */
  issue: CommandView
  /** The card was added to the register, which may have settled the issue. */
  onSettled: () => void
  onAnother: () => void
}

/** For an issue without a readable answer: the operator asks the holder, who alone sees it, for id and last digits. */
export function ManualCardRegistration({ issue, onSettled, onAnother }: ManualCardRegistrationProps) {
  const register = useCommand(null, onSettled)
  const open = issue.outcome.class === 'unknown'
  const isParty = issue.partyFault !== undefined
  return (
    <>
      <Panel title={open ? 'Check with the holder' : 'Card issued, number lost'}>
        <ol className="grid list-decimal gap-1.5 py-3 pr-3.5 pl-8 text-secondary-foreground text-sm">
          <li>Ask the holder to check their cards in their app.</li>
          <li>
            If there is a new card, ask for its id and last four digits, never the full number.{' '}
            {isParty ? 'Someone else must register it.' : 'Register it below.'}
          </li>
          <li>
            If the card must not be used, <TextLink href="/cards">look it up by its id</TextLink> and block it.
          </li>
          {open ? (
            <li>If there is no card after a few minutes, record that it did not happen and issue it again.</li>
          ) : null}
        </ol>
        {isParty ? null : <RegisterForm issueId={issue.id} register={register} />}
        {open ? null : (
          <CardFooter>
            <Button variant="ghost" onClick={onAnother}>
              Issue another card
            </Button>
          </CardFooter>
        )}
      </Panel>
      <CommandOutcome command={register} />
    </>
  )
}

type Faults = Readonly<Partial<Record<'cardId' | 'last4' | 'why', string | null>>>

/** Never asks for the whole card number. */
function RegisterForm({ issueId, register }: { issueId: string; register: Command }) {
  const { faults } = register
  const checking = register.state.step === 'checking'
  const [own, setOwn] = useState<Faults>({})
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const [cardId, last4] = [fieldReference(form, 'cardId'), fieldReference(form, 'last4')]
    const typed = { cardId, last4, why: fieldText(form, 'why') }
    const found: Faults = {
      cardId: cardIdFault(typed.cardId),
      last4: last4Fault(typed.last4, true),
      why: noteFault(typed.why, ASK_HOW_KNOWN),
    }
    setOwn(found)
    if (Object.values(found).every((fault) => fault === null)) register.prepare('card.register', { issueId, ...typed })
  }
  return (
    <form
      ref={guardForm}
      data-taken={register.state.step === 'outcome'}
      onSubmit={submit}
      className="grid gap-x-3.5 gap-y-1.5 border-t px-3.5 pt-3.5 sm:grid-cols-[1fr_9rem]"
    >
      <TextField
        label="Card id"
        name="cardId"
        mono
        isReference
        fault={own.cardId ?? faults.cardId ?? null}
        help="From the holder’s app."
      />
      <TextField
        label="Last four digits"
        name="last4"
        mono
        isReference
        inputMode="numeric"
        fault={own.last4 ?? faults.last4 ?? null}
        help="Exactly four digits."
      />
      <TextField
        className="sm:col-span-2"
        label="How do you know?"
        name="why"
        fault={own.why ?? faults.why ?? null}
        help="Recorded with your name."
      />
      <div className="pb-3.5">
        <SubmitButton variant="outline" aria-disabled={checking}>
          {checking ? 'Checking' : 'Register this card'}
        </SubmitButton>
      </div>
    </form>
  )
}
