'use client'

import { type FormEvent, type ReactNode, useState } from 'react'
import { CommandDialogs } from '#components/command/command-dialogs.tsx'
import { CommandOutcome } from '#components/command/command-outcome.tsx'
import { blockingReason, type Command } from '#components/command/command-state.ts'
import { EarlierChange } from '#components/command/no-outcome.tsx'
import { useCommand } from '#components/command/use-command.ts'
import { fieldReference, fieldText, TextField } from '#components/form/text-field.tsx'
import { guardForm } from '#components/frame/guard-form.ts'
import { ButtonLink, Panel, TwoColumns } from '#components/frame/panel.tsx'
import { useAutomaticRefresh } from '#components/service/session-events.ts'
import { SubmitButton } from '#components/ui/button.tsx'
import { CardFooter } from '#components/ui/card.tsx'
import { FormError } from '#components/ui/field.tsx'
import { ASK_REASON, last4Fault } from '#lib/cards/card.ts'
import type { CommandView } from '#lib/commands/command.ts'
import { noteFault } from '#lib/values/text.ts'

interface CardActionsProps {
  cardId: string
  /** On the register: the typed digits must match it, and a replacement can use its data. */
  registered: boolean
  hasName: boolean
  registerHidden: boolean
  /** As far as this console knows. */
  blocked: boolean
  missingScope: string | null
  missingIssueScope: string | null
  /** The latest command of this console to block the card. */
  latest: CommandView | null
  children: ReactNode
}

export function CardActions(props: CardActionsProps) {
  const command = useCommand(props.latest, useAutomaticRefresh())
  const { state } = command
  const blocked = props.blocked || (state.step === 'outcome' && state.command.outcome.class === 'done')
  const form = <BlockForm {...props} command={command} />
  return (
    <TwoColumns>
      <div className="grid gap-4">
        {props.children}
        <Panel title={blocked ? 'Blocked' : 'Block this card'}>
          {blocked ? (
            <>
              <Replacement {...props} />
              {/* A block that was only settled by hand may not be in effect, so the operator can send it again. */}
              <details className="border-t">
                <summary className="px-3.5 py-2.5 text-secondary-foreground text-sm">Block again</summary>
                {form}
              </details>
            </>
          ) : (
            form
          )}
        </Panel>
      </div>
      <div className="grid gap-4">
        <CommandOutcome command={command} />
      </div>
      <CommandDialogs command={command} danger />
    </TwoColumns>
  )
}

const Replacement = ({ missingIssueScope, ...card }: CardActionsProps) => (
  <div className="flex flex-wrap items-center gap-3 px-3.5 py-3 text-sm">
    <p className="min-w-48 flex-1 text-secondary-foreground">
      The card can never pay again or be unblocked.{' '}
      {missingIssueScope === null
        ? replacementWords(card)
        : `Issuing a replacement needs the scope ${missingIssueScope}.`}
    </p>
    {missingIssueScope === null ? (
      <ButtonLink href={`/cards/issue${card.registered ? `?${new URLSearchParams({ replaces: card.cardId })}` : ''}`}>
        Issue a replacement
      </ButtonLink>
    ) : null}
  </div>
)

type CardKnown = Pick<CardActionsProps, 'registered' | 'hasName' | 'registerHidden'>

function replacementWords({ registered, hasName, registerHidden }: CardKnown): string {
  if (registered) return `The replacement has the same ${hasName ? 'holder, type and name' : 'holder and type'}.`
  return registerHidden
    ? 'You cannot see the card register, so the replacement starts empty.'
    : 'Its holder is not on the register, so the replacement starts empty.'
}

interface Params {
  readonly last4: string
  readonly reason: string
}

interface BlockFormProps extends Pick<CardActionsProps, 'cardId' | 'registered' | 'missingScope'> {
  command: Command
}

const faultsOf = ({ last4, reason }: Params, registered: boolean) => ({
  last4: last4Fault(last4, registered),
  reason: noteFault(reason, ASK_REASON),
})

function BlockForm({ cardId, registered, missingScope, command }: BlockFormProps) {
  const { faults } = command
  const checking = command.state.step === 'checking'
  const whyNot = blockingReason(command)
  const blocked = missingScope !== null || whyNot !== null
  const [typed, setTyped] = useState<Params>({ last4: '', reason: '' })
  const [tried, setTried] = useState(false)
  const own = tried ? faultsOf(typed, registered) : { last4: null, reason: null }

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const params = { last4: fieldReference(form, 'last4'), reason: fieldText(form, 'reason') }
    setTyped(params)
    setTried(true)
    const found = faultsOf(params, registered)
    if (!blocked && found.last4 === null && found.reason === null) command.prepare('card.block', { cardId, ...params })
  }
  return (
    <form ref={guardForm} data-taken={command.state.step === 'outcome'} onSubmit={submit}>
      <div className="grid gap-x-3.5 gap-y-1.5 px-3.5 pt-3.5 pb-1.5 sm:grid-cols-[11rem_1fr]">
        <TextField
          label="Last four digits"
          name="last4"
          mono
          isReference
          inputMode="numeric"
          onText={(last4) => setTyped((now) => ({ ...now, last4 }))}
          fault={own.last4 ?? faults.last4 ?? null}
          help={registered ? 'As read out by the holder.' : 'Leave empty if unknown.'}
          takesFocus={!blocked}
        />
        <TextField
          label="Reason"
          name="reason"
          onText={(reason) => setTyped((now) => ({ ...now, reason }))}
          fault={own.reason ?? faults.reason ?? null}
          help="Who reported it and why. Recorded with your name."
        />
      </div>
      <CardFooter>
        <p className="min-w-48 flex-1 text-muted-foreground text-xs">
          {missingScope === null
            ? (whyNot ?? 'A block is permanent. Holders can freeze a card temporarily in their app.')
            : `Blocking cards needs the scope ${missingScope}.`}
        </p>
        <SubmitButton variant="destructive" disabled={blocked} aria-disabled={checking}>
          {checking ? 'Checking' : blockWords(typed.last4)}
        </SubmitButton>
        <FormError fault={faults.cardId} className="w-full" />
        <EarlierChange id={command.heldBy} />
      </CardFooter>
    </form>
  )
}

const blockWords = (last4: string): string =>
  last4Fault(last4, true) === null ? `Block card ending ${last4.trim()}` : 'Block this card'
