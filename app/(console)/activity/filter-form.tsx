'use client'

import Link from 'next/link'
import { useRouter, useSearchParams } from 'next/navigation'
import { type FormEvent, useId, useState, useTransition } from 'react'
import { DayRange } from '#components/form/date-field.tsx'
import { Options, SelectField } from '#components/form/select-field.tsx'
import { fieldReference, fieldText, TextField } from '#components/form/text-field.tsx'
import { ClearLink, useFilterHref } from '#components/table/saved-views.tsx'
import { SearchButton } from '#components/ui/button.tsx'
import { Card } from '#components/ui/card.tsx'
import { Check } from '#components/ui/icons.tsx'
import { useDayZone } from '#components/values/timestamp.tsx'
import {
  type ActivityFilter,
  ALL_ACTIVITY,
  filterQuery,
  kindChoices,
  outcomeWords,
  withFilter,
} from '#lib/activity/activity-filter.ts'
import { ME, zoneOf } from '#lib/values/address-filter.ts'
import { lookUpFault } from '#lib/values/text.ts'

function useActivityHref(): (filter: ActivityFilter) => string {
  const hrefOf = useFilterHref('changes', '/activity')
  return (filter) => hrefOf((query) => withFilter(query, filter))
}

/** Without JavaScript, the browser submits the form, and days are days in UTC. */
export function FilterForm({ filter, people }: { filter: ActivityFilter; people: readonly string[] }) {
  const router = useRouter()
  const query = useSearchParams()
  const hrefOf = useActivityHref()
  const [going, startGoing] = useTransition()
  const [fault, setFault] = useState<string | null>(null)
  const dayZone = useDayZone()
  const zone = zoneOf(filter, dayZone)
  const listId = useId()
  const shown = hrefOf(filter)
  const show = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (going) return
    const text = (name: keyof ActivityFilter) => fieldText(event.currentTarget, name).trim()
    const [from, to] = [text('from'), text('to')]
    const outcome = text('outcome') as ActivityFilter['outcome']
    const rest = { person: text('person'), kind: text('kind'), text: fieldReference(event.currentTarget, 'text') }
    const wrong = lookUpFault(rest.text)
    setFault(wrong)
    if (wrong !== null) return
    const href = hrefOf({ ...rest, outcome, from, to, zone: from === '' && to === '' ? '' : zone })
    startGoing(() => (href === shown ? router.refresh() : router.push(href, { scroll: false })))
  }
  return (
    <Card>
      <form
        onSubmit={show}
        action="/activity"
        className="group/filter grid grid-cols-2 gap-x-3 max-sm:gap-y-2 px-3.5 pt-1.5 pb-2 sm:grid-cols-4 min-[1301px]:grid-cols-[7rem_7rem_minmax(0,1fr)_minmax(0,1fr)_minmax(0,1fr)_minmax(0,1.3fr)_auto]"
      >
        <DayRange from={query.get('from') ?? ''} to={query.get('to') ?? ''} zone={zone} relative />
        <SelectField key={`kind ${filter.kind}`} label="Kind" name="kind" initial={filter.kind}>
          <option value="">Any kind</option>
          {kindChoices.map(([group, choices]) => (
            <optgroup key={group} label={group}>
              <Options choices={choices} />
            </optgroup>
          ))}
        </SelectField>
        <TextField label="Person" name="person" list={listId} placeholder="me, or a name" initial={filter.person} />
        <datalist id={listId}>
          {[ME, ...people].map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <SelectField key={`outcome ${filter.outcome}`} label="Outcome" name="outcome" initial={filter.outcome}>
          <option value="">Any outcome</option>
          <Options choices={Object.entries(outcomeWords)} />
        </SelectField>
        <TextField
          label="Reference or id"
          name="text"
          mono
          isReference
          placeholder="In full, or a trace id"
          initial={filter.text}
          fault={fault}
        />
        <div className="col-span-2 flex items-start gap-2 max-sm:pb-2 sm:pt-5.5 min-[1301px]:col-span-1">
          <SearchButton aria-disabled={going}>Show</SearchButton>
          {filterQuery(filter).size === 0 ? null : <ClearLink href={hrefOf(ALL_ACTIVITY)} />}
        </div>
        <QuickFilters filter={filter} zone={dayZone} />
      </form>
    </Card>
  )
}

const days = (from: string, to: string) => ({ from, to })

const quickFilters: readonly (readonly [word: string, part: Partial<ActivityFilter>])[] = [
  ['Today', days('today', 'today')],
  ['Yesterday', days('yesterday', 'yesterday')],
  ['Last 7 days', days('today-6', 'today')],
  ['Mine', { person: ME }],
  ['Not known yet, or in progress', { outcome: 'open' }],
  ['Happened after all', { outcome: 'late' }],
]

function QuickFilters({ filter, zone }: { filter: ActivityFilter; zone: string }) {
  const hrefOf = useActivityHref()
  const changed = (part: Partial<ActivityFilter>, isOn: boolean): ActivityFilter => {
    const names = Object.keys(part) as (keyof ActivityFilter)[]
    const next = { ...filter, ...(isOn ? Object.fromEntries(names.map((name) => [name, ''])) : part) }
    return 'from' in part ? { ...next, zone: isOn ? '' : zone } : next
  }
  return (
    <nav
      aria-label="Quick filters"
      // Lies in the empty help line, if that is wide enough and holds no fault or note.
      className="col-span-full flex flex-wrap gap-1 min-[1301px]:col-start-3 min-[1301px]:-mt-4 min-[1301px]:group-has-[[data-slot=field-error],[role=status]]/filter:mt-0"
    >
      {quickFilters.map(([word, part]) => {
        const isOn = Object.entries(part).every(([name, value]) => filter[name as keyof ActivityFilter] === value)
        return (
          <Link
            key={word}
            href={hrefOf(changed(part, isOn))}
            scroll={false}
            prefetch={false}
            aria-current={isOn ? 'true' : undefined}
            className="inline-flex min-h-6 items-center gap-1 whitespace-nowrap rounded-full border px-2.5 font-[550] text-secondary-foreground text-xs hover:bg-muted hover:text-foreground aria-[current]:border-ring aria-[current]:bg-accent aria-[current]:text-foreground"
          >
            {isOn ? <Check aria-hidden className="size-3.5" /> : null}
            {word}
          </Link>
        )
      })}
    </nav>
  )
}
