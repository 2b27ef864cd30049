'use client'

import { Search } from 'lucide-react'
import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { type FormEvent, useId, useTransition } from 'react'
import { fieldText } from '#components/form/field-text.ts'
import { SelectField } from '#components/form/select-field.tsx'
import { TextField } from '#components/form/text-field.tsx'
import { Button, buttonVariants } from '#components/ui/button.tsx'
import { useDayZone } from '#components/values/use-day-zone.ts'
import {
  ANY_CHANGE,
  type ChangeFilter,
  filterQuery,
  kindChoices,
  ME,
  outcomeWords,
} from '#lib/activity/change-filter.ts'
import { segment, segments } from '../disputes/segments.ts'

interface FilterFormProps {
  filter: ChangeFilter
  /** Names to choose from. */
  authors: readonly string[]
}

const hrefOf = (change: Partial<ChangeFilter>): string => {
  const query = filterQuery({ ...ANY_CHANGE, ...change }).toString()
  return query === '' ? '/activity' : `/activity?${query}`
}

/** What is asked for most. */
const usual: readonly (readonly [word: string, change: Partial<ChangeFilter>])[] = [
  ['All', {}],
  ['Mine', { person: ME }],
  ['Not known yet, or working', { outcome: 'open' }],
  ['Happened after all', { outcome: 'late' }],
]

/** Which changes are shown. Without a script the browser itself submits it; days are then those of UTC. */
export function FilterForm({ filter, authors }: FilterFormProps) {
  const router = useRouter()
  const [going, startGoing] = useTransition()
  const zone = useDayZone()
  const listId = useId()
  const shown = hrefOf(filter)
  const show = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const text = (name: keyof ChangeFilter) => fieldText(event.currentTarget, name).trim()
    const [from, to] = [text('from'), text('to')]
    const wanted = { person: text('person'), kind: text('kind'), from, to, text: text('text') }
    const outcome = text('outcome') as ChangeFilter['outcome']
    const href = hrefOf({ ...wanted, outcome, zone: from === '' && to === '' ? '' : zone })
    startGoing(() => (href === shown ? router.refresh() : router.push(href, { scroll: false })))
  }
  return (
    <div className="grid gap-2.5 px-3.5 py-2.5">
      <nav aria-label="Which changes" className={`${segments} justify-self-start`}>
        {usual.map(([word, change]) => (
          <Link
            key={word}
            href={hrefOf(change)}
            prefetch={false}
            aria-current={hrefOf(change) === shown ? 'page' : undefined}
            className={segment}
          >
            {word}
          </Link>
        ))}
      </nav>
      <form
        onSubmit={show}
        action="/activity"
        className="grid grid-cols-2 gap-x-3 gap-y-1 sm:grid-cols-[repeat(auto-fit,minmax(148px,1fr))]"
      >
        <TextField
          label="Person"
          name="person"
          list={listId}
          placeholder="Anyone"
          initial={filter.person}
          help="me, or a name"
        />
        <datalist id={listId}>
          {[ME, ...authors].map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <Select label="Kind" name="kind" initial={filter.kind} any="Any kind" choices={kindChoices} />
        <Select
          label="Outcome"
          name="outcome"
          initial={filter.outcome}
          any="Any outcome"
          choices={Object.entries(outcomeWords)}
        />
        <TextField
          label="From"
          name="from"
          type="date"
          initial={filter.from}
          help={`A day in ${filter.zone === '' ? zone : filter.zone}`}
        />
        <TextField label="To" name="to" type="date" initial={filter.to} help="The last day" />
        <TextField
          label="Reference or id"
          name="text"
          mono
          initial={filter.text}
          help="Whole: also a bank’s reference, a trace id"
        />
        <div className="flex items-start gap-2 pt-5.5">
          <Button type="submit" variant="outline" size="field" disabled={going}>
            <Search aria-hidden />
            Show
          </Button>
          {shown === '/activity' ? null : (
            <Link href="/activity" prefetch={false} className={buttonVariants({ variant: 'ghost', size: 'field' })}>
              Clear
            </Link>
          )}
        </div>
      </form>
    </div>
  )
}

interface SelectProps {
  label: string
  name: string
  initial: string
  any: string
  choices: readonly (readonly [value: string, word: string])[]
}

const Select = ({ label, name, initial, any, choices }: SelectProps) => (
  <SelectField label={label} name={name} initial={initial}>
    <option value="">{any}</option>
    {choices.map(([value, word]) => (
      <option key={value} value={value}>
        {word}
      </option>
    ))}
  </SelectField>
)
