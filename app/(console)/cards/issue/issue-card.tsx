'use client'

import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { CommandDialogs } from '#components/command/command-dialogs.tsx'
import { CommandOutcome } from '#components/command/command-outcome.tsx'
import type { Command } from '#components/command/command-state.ts'
import { EarlierChange } from '#components/command/no-outcome.tsx'
import { useCommand } from '#components/command/use-command.ts'
import { Options, SelectField } from '#components/form/select-field.tsx'
import { fieldReference, fieldText, TextField } from '#components/form/text-field.tsx'
import { guardForm } from '#components/frame/guard-form.ts'
import { guardUnload } from '#components/frame/leave-guard.ts'
import { Panel, TextLink, TwoColumns } from '#components/frame/panel.tsx'
import { useAutomaticRefresh } from '#components/service/session-events.ts'
import { SubmitButton } from '#components/ui/button.tsx'
import { CardFooter } from '#components/ui/card.tsx'
import { cardTypeFault, holderIdFault, issuedCardOf, printedNameFault } from '#lib/cards/card.ts'
import type { CommandView } from '#lib/commands/command.ts'
import { PRINTED_NAME_MAX_CHARS } from '#lib/contract/states.ts'
import { isUuid, shortId } from '#lib/values/ids.ts'
import { visibleText } from '#lib/values/text.ts'
import { CardNumberOnce, IssuedCard, type NumberEnd } from './card-number-once.tsx'
import { ManualCardRegistration } from './manual-card-registration.tsx'

interface IssueCardProps {
  missingScope: string | null
  /** The command in the address when the page was rendered. */
  named: string | null
  /** Its outcome then. */
  latest: CommandView | null
  /** The operator's input for that issue; null when it is not known here. */
  typed: Params | null
  /** Null when the operator may not see card types. */
  typesSeen: readonly CardTypeSeen[] | null
  replaced: Replaced | null
  /** Empty when the address names no holder. */
  holder: string
}

const stay = () => {}

/** Shows the form, then the card number once, then the last four digits. */
export function IssueCard({ missingScope, named, latest, typed, typesSeen, replaced, holder }: IssueCardProps) {
  const command = useCommand(latest, stay)
  const [ended, setEnded] = useState<NumberEnd | null>(null)
  const [round, setRound] = useState(0)
  // Restored to the form when it turns out that nothing was issued.
  const [submitted, setSubmitted] = useState(typed)
  const isSending = command.inFlight !== null
  useEffect(() => (isSending ? guardUnload({ holds: () => true }) : undefined), [isSending])
  useCommandInAddress(command, named)
  useFreshPage(command, latest, ended === 'left')

  const end = (how: NumberEnd) => {
    command.forget()
    setEnded(how)
  }
  const another = () => {
    command.clear()
    setEnded(null)
    setRound(round + 1)
    setSubmitted(null)
  }
  const outcome = <CommandOutcome command={command} />
  if (mayBeOnItsWay(command)) return <div className="grid max-w-xl">{outcome}</div>
  return (
    <TwoColumns>
      <div className="grid gap-4">
        <Stage command={command} ended={ended} onEnd={end} onAnother={another}>
          <IssueForm
            key={round}
            missingScope={missingScope}
            typesSeen={typesSeen}
            replaced={round === 0 ? replaced : null}
            typed={submitted}
            holder={round === 0 ? holder : ''}
            command={command}
            onSubmit={setSubmitted}
          />
        </Stage>
      </div>
      <div className="grid gap-4">{outcome}</div>
      <CommandDialogs command={command} />
    </TwoColumns>
  )
}

/** While a request may still reach the service, the operator cannot start a second card. */
const mayBeOnItsWay = ({ state }: Command): boolean =>
  state.step === 'unanswered' ||
  (state.step === 'outcome' &&
    (state.command.outcome.class === 'sending' || state.command.outcome.class === 'prepared'))

interface StageProps {
  command: Command
  ended: NumberEnd | null
  onEnd: (how: NumberEnd) => void
  onAnother: () => void
  children: ReactNode
}

function Stage({ command, ended, onEnd, onAnother, children }: StageProps) {
  const { state } = command
  if (state.step !== 'outcome') return children
  if (state.once?.what === 'card-number') return <CardNumberOnce cardNumber={state.once.cardNumber} onEnd={onEnd} />
  const card = issuedCardOf(state.command)
  if (card !== null) return <IssuedCard card={card} ended={ended} onAnother={onAnother} />
  switch (state.command.outcome.class) {
    case 'unknown':
    case 'done':
      return <ManualCardRegistration issue={state.command} onSettled={command.reconcileNow} onAnother={onAnother} />
    default:
      return children
  }
}

/** Puts the command's id (never the card number) into the address before sending: a reload shows its outcome. */
function useCommandInAddress({ state }: Command, named: string | null): void {
  const id = idOf(state)
  const known = useRef(named)
  useEffect(() => {
    const { pathname, search } = window.location
    const query = new URLSearchParams(search)
    const shown = query.get('command')
    if (shown === id) return
    // After Back and Forward, Next shows the page from before the command.
    if (shown !== null && shown !== known.current && isUuid(shown)) return window.location.reload()
    known.current = id
    if (id === null) query.delete('command')
    else query.set('command', id)
    window.history.replaceState(null, '', query.size === 0 ? pathname : `${pathname}?${query}`)
  }, [id])
}

/** Makes the server render the outcome, so that it is there on return. A reload would lose the number. */
function useFreshPage({ state }: Command, known: CommandView | null, isLeft: boolean): void {
  const refresh = useAutomaticRefresh()
  const current = state.step === 'outcome' && state.once === null && !isLeft ? state.command : null
  const news = current !== null && (current.id !== known?.id || current.outcome.class !== known.outcome.class)
  useEffect(() => {
    if (news) refresh()
  }, [news, refresh])
}

function idOf(state: Command['state']): string | null {
  switch (state.step) {
    case 'confirming':
      return state.draft.id
    case 'verifying':
    case 'outcome':
      return state.command.id
    case 'unanswered':
      return state.id
    default:
      return null
  }
}

interface Params {
  readonly userId: string
  readonly cardType: string
  readonly printedName: string
}

interface Replaced extends Params {
  readonly id: string
  readonly last4: string
  readonly blocked: boolean
}

interface IssueFormProps extends Omit<IssueCardProps, 'named' | 'latest'> {
  command: Command
  onSubmit: (params: Params) => void
}

const fieldFaults = ({ userId, cardType, printedName }: Params): Readonly<Record<keyof Params, string | null>> => ({
  userId: holderIdFault(userId),
  cardType: cardTypeFault(cardType),
  printedName: printedNameFault(printedName),
})

function IssueForm(props: IssueFormProps) {
  const { missingScope, typesSeen, replaced, holder, command, onSubmit } = props
  const checking = command.state.step === 'checking'
  const [initial] = useState<Params>(props.typed ?? replaced ?? { userId: holder, cardType: '', printedName: '' })
  const [typed, setTyped] = useState(initial)
  const [tried, setTried] = useState(false)
  const own = fieldFaults(typed)
  const faultOf = (name: keyof Params) => (tried ? own[name] : null) ?? command.faults[name] ?? null
  const into = (name: keyof Params) => (text: string) => setTyped((now) => ({ ...now, [name]: text }))

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const params = {
      userId: fieldReference(form, 'userId'),
      cardType: fieldText(form, 'cardType'),
      printedName: fieldText(form, 'printedName'),
    }
    setTyped(params)
    setTried(true)
    if (missingScope !== null || Object.values(fieldFaults(params)).some((fault) => fault !== null)) return
    onSubmit(params)
    command.prepare('card.issue', params)
  }
  return (
    <Panel title="New card">
      {replaced === null ? null : <Replacing card={replaced} />}
      <form
        ref={guardForm}
        data-taken={command.state.step === 'outcome'}
        onSubmit={submit}
        className="grid gap-x-3.5 gap-y-1.5 pt-3.5 sm:grid-cols-2"
      >
        <TextField
          className="px-3.5 sm:col-span-2"
          label="Holder’s user id"
          name="userId"
          mono
          isReference
          initial={initial.userId}
          onText={into('userId')}
          fault={faultOf('userId')}
          help="The holder’s user id. The card can spend their whole wallet balance."
          takesFocus
        />
        <CardTypeField
          seen={typesSeen}
          initial={initial.cardType}
          onText={into('cardType')}
          fault={faultOf('cardType')}
        />
        <TextField
          className="px-3.5"
          label="Printed name"
          name="printedName"
          dir="auto"
          initial={initial.printedName}
          onText={into('printedName')}
          fault={faultOf('printedName')}
          help={`As printed on the card, at most ${PRINTED_NAME_MAX_CHARS} characters.`}
        />
        <CardFooter className="mt-1 sm:col-span-2">
          <p className="min-w-48 flex-1 text-muted-foreground text-xs">
            {missingScope === null
              ? 'The full number is shown once. Be ready to hand it over.'
              : `Issuing cards needs the scope ${missingScope}.`}
          </p>
          <SubmitButton disabled={missingScope !== null} aria-disabled={checking}>
            {checking ? 'Checking' : buttonWords(typed.userId)}
          </SubmitButton>
          <EarlierChange id={command.heldBy} />
        </CardFooter>
      </form>
    </Panel>
  )
}

const buttonWords = (userId: string): string =>
  holderIdFault(userId) === null ? `Issue a card for ${shortId(userId)}` : 'Issue a card'

const Replacing = ({ card }: { card: Replaced }) => (
  <p className="border-b bg-muted px-3.5 py-2.5 text-secondary-foreground text-sm">
    Replaces the <TextLink href={`/cards/${encodeURIComponent(card.id)}`}>card ending {card.last4}</TextLink>:{' '}
    {card.printedName === '' ? 'the same holder and type. Its name was erased.' : 'the same holder, type and name.'}
    {card.blocked ? null : ' That card is not blocked. Block it first if it must not be used.'}
  </p>
)

/** A card type that this console has read from the service. */
export interface CardTypeSeen {
  readonly type: string
  readonly name: string
}

interface CardTypeFieldProps {
  seen: readonly CardTypeSeen[] | null
  initial: string
  onText: (type: string) => void
  fault: string | null
}

const NAME = 'cardType'
const OTHER = 'other'

export function CardTypeField({ seen, initial, onText, fault }: CardTypeFieldProps) {
  const listed = initial === '' || seen?.some(({ type }) => type === initial) === true
  const [other, setOther] = useState(!listed)
  if (seen === null || seen.length === 0) {
    const help = seen === null ? HELP_HIDDEN : HELP_NONE
    return <FreeField label="Card type" initial={initial} onText={onText} fault={fault} help={help} />
  }
  const choose = (value: string) => {
    setOther(value === OTHER)
    onText(value === OTHER ? '' : value)
  }
  return (
    <div className="px-3.5">
      <SelectField
        label="Card type"
        name={other ? undefined : NAME}
        initial={listed ? initial : OTHER}
        onChoose={choose}
        fault={other ? null : fault}
        help={HELP_LIST}
      >
        <option value="">Choose a card type</option>
        <Options choices={seen.map(({ type, name }) => [type, `${type} ${visibleText(name)}`])} />
        <option value={OTHER}>Other card type</option>
      </SelectField>
      {other ? (
        <FreeField
          className="mt-1.5"
          label="Card type number"
          initial={listed ? '' : initial}
          onText={onText}
          fault={fault}
          help="Product number, e.g. 1."
        />
      ) : null}
    </div>
  )
}

const HELP_LIST = 'Card types that this console has issued or looked up.'
const HELP_NONE = 'Product number, e.g. 1.'
const HELP_HIDDEN = 'Product number, e.g. 1. You cannot see the list of types.'

interface FreeFieldProps extends Omit<CardTypeFieldProps, 'seen'> {
  label: string
  help: string
  className?: string
}

const FreeField = ({ className = 'px-3.5', ...field }: FreeFieldProps) => (
  <TextField className={className} name={NAME} inputMode="numeric" {...field} />
)
