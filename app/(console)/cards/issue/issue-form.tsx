import Link from 'next/link'
import { type FormEvent, useState } from 'react'
import { fieldReference, fieldText } from '#components/form/field-text.ts'
import { TextField } from '#components/form/text-field.tsx'
import { Panel } from '#components/frame/panel.tsx'
import { Button } from '#components/ui/button.tsx'
import { CardFooter } from '#components/ui/card.tsx'
import { useHydrated } from '#components/ui/use-hydrated.ts'
import { cardTypeFault, holderIdFault, printedNameFault } from '#lib/cards/card.ts'
import { PRINTED_NAME_MAX_CHARS } from '#lib/contract/card-states.ts'
import { endOf } from '#lib/values/uuid.ts'
import { CardTypeField, type CardTypeSeen } from './card-type-field.tsx'

export interface Params {
  readonly userId: string
  readonly cardType: string
  readonly printedName: string
}

/** The card to be replaced, from the register. */
export interface Replaced extends Params {
  readonly id: string
  readonly last4: string
  readonly blocked: boolean
}

interface IssueFormProps {
  missingScope: string | null
  /** Null when the operator may not see card types. */
  typesSeen: readonly CardTypeSeen[] | null
  replaced: Replaced | null
  /** The input of an issue that did not happen. */
  typed: Params | null
  /** Empty when the address names no holder. */
  holder: string
  /** The server's faults, by field name. */
  faults: Readonly<Record<string, string>>
  checking: boolean
  onPrepare: (params: Params) => void
}

const fieldFaults = ({ userId, cardType, printedName }: Params): Readonly<Record<keyof Params, string | null>> => ({
  userId: holderIdFault(userId),
  cardType: cardTypeFault(cardType),
  printedName: printedNameFault(printedName),
})

export function IssueForm(props: IssueFormProps) {
  const { missingScope, typesSeen, replaced, holder, faults, checking, onPrepare } = props
  const hydrated = useHydrated()
  const [initial] = useState<Params>(props.typed ?? replaced ?? { userId: holder, cardType: '', printedName: '' })
  const [typed, setTyped] = useState(initial)
  const [tried, setTried] = useState(false)
  const own = fieldFaults(typed)
  const faultOf = (name: keyof Params) => (tried ? own[name] : null) ?? faults[name] ?? null
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
    if (missingScope === null && Object.values(fieldFaults(params)).every((fault) => fault === null)) onPrepare(params)
  }
  return (
    <Panel title="New card">
      {replaced === null ? null : <Replacing card={replaced} />}
      <form onSubmit={submit} className="grid gap-x-3.5 gap-y-1.5 pt-3.5 sm:grid-cols-2">
        <TextField
          className="px-3.5 sm:col-span-2"
          label="Holder’s user id"
          name="userId"
          mono
          isReference
          initial={initial.userId}
          onText={into('userId')}
          fault={faultOf('userId')}
          help="The holder’s id at the service. The card reaches their whole wallet balance."
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
          help={`As it stands on the card, at most ${PRINTED_NAME_MAX_CHARS} characters.`}
        />
        <CardFooter className="mt-1 sm:col-span-2">
          <p className="min-w-48 flex-1 text-muted-foreground text-xs">
            {missingScope === null
              ? 'The full number is told once. Be ready to hand it over before you confirm.'
              : `You may not issue cards: it needs the scope ${missingScope}.`}
          </p>
          <Button type="submit" disabled={!hydrated || checking || missingScope !== null}>
            {checking ? 'Checking' : buttonWords(typed.userId)}
          </Button>
        </CardFooter>
      </form>
    </Panel>
  )
}

const buttonWords = (userId: string): string =>
  holderIdFault(userId) === null ? `Issue a card for ${endOf(userId)}` : 'Issue a card'

const Replacing = ({ card }: { card: Replaced }) => (
  <p className="border-b bg-muted px-3.5 py-2.5 text-secondary-foreground text-sm">
    Replaces the{' '}
    <Link
      href={`/cards/${encodeURIComponent(card.id)}`}
      prefetch={false}
      className="text-primary underline underline-offset-4"
    >
      card ending {card.last4}
    </Link>
    : the same holder, type and name.
    {card.blocked ? null : ' That card is not blocked here. Block it first if it must not be used.'}
  </p>
)
