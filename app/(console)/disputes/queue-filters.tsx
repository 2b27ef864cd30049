'use client'

import { X } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { fieldText } from '#components/form/field-text.ts'
import { AddressLink } from '#components/table/address-link.tsx'
import type { TableAddress } from '#components/table/use-table-address.ts'
import { useHydrated } from '#components/ui/use-hydrated.ts'
import { ages, type CaseList, type ClaimFilter, claimKind, type QueueRow } from '#lib/disputes/queue/queue.ts'
import { userIdFault } from '#lib/values/user-id.ts'
import { ListLinks } from './list-links.tsx'
import { segment, segments } from './segments.ts'

const claims: readonly (readonly [claim: ClaimFilter, word: string])[] = [
  ['mine', 'Mine'],
  ['unassigned', 'Unassigned'],
  ['others', 'Others’'],
]

interface QueueFiltersProps {
  address: TableAddress
  list: CaseList
  rows: readonly QueueRow[]
}

/** Which cases of a whole list are wanted: by who has them, by age, by a party. Each is in the address. */
export function QueueFilters({ address, list, rows }: QueueFiltersProps) {
  const { filters } = address.state
  const { claim: _claim, ...otherThanClaim } = filters
  const { age: _age, ...otherThanAge } = filters
  const open = rows.filter(({ status }) => status === 'OPEN')
  // Where nobody's assignee is shown to this person, none can be counted.
  const counts = open.length === 0 || open.some((row) => claimKind(row) !== null)
  return (
    <div className="flex flex-wrap items-start gap-x-3 gap-y-2 border-b px-3.5 py-2.5">
      <ListLinks list={list} />
      {list === 'RESOLVED' ? null : (
        <nav aria-label="Cases by assignee" className={segments}>
          <AddressLink
            address={address}
            change={{ filters: otherThanClaim }}
            aria-current={filters.claim === undefined ? 'true' : undefined}
            className={segment}
          >
            Everyone’s
          </AddressLink>
          {claims.map(([claim, word]) => (
            <AddressLink
              key={claim}
              address={address}
              change={{ filters: { ...filters, claim } }}
              aria-current={filters.claim === claim ? 'true' : undefined}
              className={segment}
            >
              {word}
              {counts ? (
                <span className="figures font-normal">{open.filter((row) => claimKind(row) === claim).length}</span>
              ) : null}
            </AddressLink>
          ))}
        </nav>
      )}
      <nav aria-label="Cases by age" className={segments}>
        <AddressLink
          address={address}
          change={{ filters: otherThanAge }}
          aria-current={filters.age === undefined ? 'true' : undefined}
          className={segment}
        >
          Any age
        </AddressLink>
        {ages.map(({ id, words }) => (
          <AddressLink
            key={id}
            address={address}
            change={{ filters: { ...filters, age: id } }}
            aria-current={filters.age === id ? 'true' : undefined}
            className={segment}
          >
            {words}
          </AddressLink>
        ))}
      </nav>
      <PartyField key={filters.party ?? ''} address={address} />
    </div>
  )
}

/** A user id, as exact text: cases that they raised, and cases against them. */
function PartyField({ address }: { address: TableAddress }) {
  const hydrated = useHydrated()
  const id = useId()
  const { party = '', ...others } = address.state.filters
  const [fault, setFault] = useState<string | null>(null)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = fieldText(event.currentTarget, 'party').trim()
    const wrong = typed === '' ? null : userIdFault(typed)
    setFault(wrong)
    if (wrong === null) address.go({ filters: typed === '' ? others : { ...others, party: typed } })
  }
  return (
    <form onSubmit={submit} className="min-w-56 max-w-md flex-1">
      <div className="flex min-h-8 items-center gap-1 rounded-md border border-input bg-card px-2.5 focus-within:border-primary">
        <label htmlFor={id} className="shrink-0 text-muted-foreground text-xs">
          Party
        </label>
        <input
          id={id}
          name="party"
          defaultValue={party}
          disabled={!hydrated}
          placeholder="user id"
          aria-describedby={`${id}-fault`}
          aria-invalid={fault !== null}
          autoComplete="off"
          spellCheck={false}
          className="mono min-w-0 flex-1 bg-transparent px-1 outline-none placeholder:text-muted-foreground"
        />
        {party === '' ? null : (
          <AddressLink
            address={address}
            change={{ filters: others }}
            aria-label="Cases of every party"
            className="grid size-6 place-items-center rounded text-muted-foreground hover:text-foreground"
          >
            <X aria-hidden className="size-3.5" />
          </AddressLink>
        )}
      </div>
      <p id={`${id}-fault`} role="status" className="text-danger text-xs">
        {fault}
      </p>
    </form>
  )
}
