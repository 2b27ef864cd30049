'use client'

import { useRouter } from 'next/navigation'
import { type FormEvent, useState, useTransition } from 'react'
import { fieldReference, TextField } from '#components/form/text-field.tsx'
import { SubmitButton } from '#components/ui/button.tsx'
import { Search } from '#components/ui/icons.tsx'
import { isCardNumber, searchFault } from '#lib/cards/card-search.ts'

interface SearchFormProps {
  find: string
  fault: string | null
  /** The operator may not see the register, so only a whole card id can be found. */
  idAlone: boolean
}

/** Submitted only by script, so that the browser never puts a typed card number into an address. */
export function SearchForm({ find, fault: initial, idAlone }: SearchFormProps) {
  const router = useRouter()
  const [fault, setFault] = useState(initial)
  const [searching, startSearching] = useTransition()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const typed = fieldReference(form, 'find')
    const wrong = searchFault(typed)
    setFault(wrong)
    if (isCardNumber(typed)) {
      const field = form.elements.namedItem('find')
      if (field instanceof HTMLInputElement) field.value = ''
    }
    if (wrong !== null || searching) return
    const address = typed === '' ? '/cards' : `/cards?${new URLSearchParams({ find: typed })}`
    startSearching(() => (typed === find ? router.refresh() : router.push(address)))
  }
  return (
    <form onSubmit={submit} className="flex flex-wrap items-start gap-x-3">
      <TextField
        className="min-w-48 flex-1"
        label="Search cards"
        name="find"
        isReference
        initial={find}
        fault={fault}
        help={idAlone ? HELP_ID : HELP}
        takesFocus={find === '' || initial !== null}
      />
      <SubmitButton variant="outline" size="field" className="mt-5.5" aria-disabled={searching}>
        <Search aria-hidden />
        {searching ? 'Searching' : 'Search'}
      </SubmitButton>
    </form>
  )
}

const HELP = 'Card id, holder’s user id, last four digits, printed name or card type. Never a full card number.'
const HELP_ID = 'Card id from the holder’s app. Never a card number.'
