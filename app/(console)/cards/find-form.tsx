'use client'

import { Search } from 'lucide-react'
import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { type FormEvent, useState, useTransition } from 'react'
import { fieldText } from '#components/form/field-text.ts'
import { TextField } from '#components/form/text-field.tsx'
import { Button, buttonVariants } from '#components/ui/button.tsx'
import { useHydrated } from '#components/ui/use-hydrated.ts'
import { findFault } from '#lib/cards/register-find.ts'

/** Finds cards on the register by whole id or last four digits. A card number goes nowhere. */
export function FindForm({ find }: { find: string }) {
  const hydrated = useHydrated()
  const router = useRouter()
  const [fault, setFault] = useState(findFault(find))
  const [looking, startLooking] = useTransition()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = fieldText(event.currentTarget, 'find').trim()
    const wrong = findFault(typed)
    setFault(wrong)
    if (wrong !== null) return
    startLooking(() => router.push(typed === '' ? '/cards' : `/cards?${new URLSearchParams({ find: typed })}`))
  }
  return (
    <form onSubmit={submit} className="flex flex-wrap items-start gap-x-2 border-b px-3.5 pt-3 pb-1.5">
      <TextField
        className="min-w-48 max-w-md flex-1"
        label="Find on the register"
        name="find"
        mono
        initial={find}
        fault={fault}
        help="The holder’s user id, a card id, or the last four digits."
      />
      <Button variant="outline" type="submit" size="field" className="mt-5.5" disabled={!hydrated || looking}>
        <Search aria-hidden />
        Find
      </Button>
      {find === '' ? null : (
        <Link
          href="/cards"
          prefetch={false}
          className={`${buttonVariants({ variant: 'ghost', size: 'field' })} mt-5.5`}
        >
          Show all
        </Link>
      )}
    </form>
  )
}
