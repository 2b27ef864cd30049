import { useState } from 'react'
import { SelectField } from '#components/form/select-field.tsx'
import { TextField } from '#components/form/text-field.tsx'
import { visibleText } from '#lib/values/visible-text.ts'

/** A card type that this console has read from the service, with the service's name for it. */
export interface CardTypeSeen {
  readonly type: string
  readonly name: string
}

interface CardTypeFieldProps {
  /** Null when the operator may not see card types. */
  seen: readonly CardTypeSeen[] | null
  initial: string
  onText: (type: string) => void
  fault: string | null
}

/** The form field's name, both for the list and for the free entry. */
const NAME = 'cardType'
const OTHER = 'other'

/** Offers the known card types, and a free entry for a type that this console has not seen. */
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
        {seen.map(({ type, name }) => (
          <option key={type} value={type}>
            {`${type} ${visibleText(name)}`}
          </option>
        ))}
        <option value={OTHER}>One that is not listed</option>
      </SelectField>
      {other ? (
        <FreeField
          className="mt-1.5"
          label="Number of the card type"
          initial={listed ? '' : initial}
          onText={onText}
          fault={fault}
          help="The service’s number for the product."
        />
      ) : null}
    </div>
  )
}

const HELP_LIST =
  'Learned from the service’s answers: the types of cards that this console has issued, and of cards looked up here that the service showed.'
const HELP_NONE =
  'The service’s number for the product. It tells no list: types are offered here once this console has issued or read a card.'
const HELP_HIDDEN = 'The service’s number for the product. The types that this console has read are not open to you.'

interface FreeFieldProps {
  label: string
  initial: string
  onText: (type: string) => void
  fault: string | null
  help: string
  className?: string
}

const FreeField = ({ className = 'px-3.5', ...field }: FreeFieldProps) => (
  <TextField className={className} name={NAME} inputMode="numeric" {...field} />
)
