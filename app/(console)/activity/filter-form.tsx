import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { type FormEvent, useId, useTransition } from 'react'
import { fieldReference, fieldText } from '#components/form/field-text.ts'
import { SelectField } from '#components/form/select-field.tsx'
import { TextField } from '#components/form/text-field.tsx'
import { Button, buttonVariants } from '#components/ui/button.tsx'
import { Search } from '#components/ui/icons.tsx'
import { serverNowMs } from '#components/values/server-clock.ts'
import { useDayZone } from '#components/values/use-day-zone.ts'
import {
  type ActivityFilter,
  ALL_ACTIVITY,
  filterQuery,
  kindChoices,
  ME,
  outcomeWords,
} from '#lib/activity/activity-filter.ts'
import { dayOf, daysBefore } from '#lib/values/day.ts'
import { segment, segments } from '../disputes/segments.ts'

interface FilterFormProps {
  filter: ActivityFilter
  people: readonly string[]
}

/** Each link keeps the rest of the filter. */
const usualDays = (zone: string): readonly (readonly [word: string, days: Pick<ActivityFilter, 'from' | 'to'>])[] => {
  const today = dayOf(serverNowMs(), zone)
  const yesterday = daysBefore(today, 1)
  return [
    ['Today', { from: today, to: today }],
    ['Yesterday', { from: yesterday, to: yesterday }],
    ['Last 7 days', { from: daysBefore(today, 6), to: today }],
  ]
}

const hrefOf = (change: Partial<ActivityFilter>): string => {
  const query = filterQuery({ ...ALL_ACTIVITY, ...change }).toString()
  return query === '' ? '/activity' : `/activity?${query}`
}

const usual: readonly (readonly [word: string, change: Partial<ActivityFilter>])[] = [
  ['All', {}],
  ['Mine', { person: ME }],
  ['Not known yet, or working', { outcome: 'open' }],
  ['Happened after all', { outcome: 'late' }],
]

/** Without JavaScript, the browser submits the form, and days are days in UTC. */
export function FilterForm({ filter, people }: FilterFormProps) {
  const router = useRouter()
  const [going, startGoing] = useTransition()
  const zone = useDayZone()
  const listId = useId()
  const shown = hrefOf(filter)
  const show = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const text = (name: keyof ActivityFilter) => fieldText(event.currentTarget, name).trim()
    const [from, to] = [text('from'), text('to')]
    const wanted = {
      person: text('person'),
      kind: text('kind'),
      from,
      to,
      text: fieldReference(event.currentTarget, 'text'),
    }
    const outcome = text('outcome') as ActivityFilter['outcome']
    const href = hrefOf({ ...wanted, outcome, zone: from === '' && to === '' ? '' : zone })
    startGoing(() => (href === shown ? router.refresh() : router.push(href, { scroll: false })))
  }
  return (
    <div className="grid gap-2.5 px-3.5 py-2.5">
      <form onSubmit={show} action="/activity" className="grid gap-y-2">
        <div className={`sm:grid-cols-[repeat(3,minmax(0,13rem))_minmax(0,18rem)_auto] ${fields}`}>
          <SelectField label="Kind" name="kind" initial={filter.kind}>
            <option value="">Any kind</option>
            {kindChoices.map(([group, choices]) => (
              <optgroup key={group} label={group}>
                <Options choices={choices} />
              </optgroup>
            ))}
          </SelectField>
          <SelectField label="Outcome" name="outcome" initial={filter.outcome} help="Of changes alone">
            <option value="">Any outcome</option>
            <Options choices={Object.entries(outcomeWords)} />
          </SelectField>
          <TextField
            label="Person"
            name="person"
            list={listId}
            placeholder="Anyone"
            initial={filter.person}
            help="me, or a name"
          />
          <datalist id={listId}>
            {[ME, ...people].map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
          <TextField
            label="Reference or id"
            name="text"
            mono
            isReference
            initial={filter.text}
            help="Whole: also a bank’s reference, a trace id"
          />
          <div className="flex items-start gap-2 max-sm:col-span-full sm:pt-5.5">
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
        </div>
        {/* A date field takes four Tab stops, so the dates come after the button. */}
        <div
          className={`sm:grid-cols-[repeat(2,minmax(0,10rem))_auto_auto] wide:grid-cols-[repeat(2,minmax(0,10rem))_auto_auto_auto] ${fields}`}
        >
          <TextField
            label="From"
            name="from"
            type="date"
            initial={filter.from}
            help={`A day in ${filter.zone === '' ? zone : filter.zone}`}
          />
          <TextField label="To" name="to" type="date" initial={filter.to} help="The last day" />
          <div className="max-sm:col-span-full sm:pt-5.5">
            <Button type="submit" variant="outline" size="field" disabled={going}>
              Show these days
            </Button>
          </div>
          <div className="sm:pt-5.5 max-sm:col-span-full">
            <Segments
              label="Which days"
              shown={shown}
              links={usualDays(zone).map(([word, days]) => [word, hrefOf({ ...filter, ...days, zone })])}
            />
          </div>
          <div className="wide:pt-5.5 col-span-full wide:col-auto">
            <Segments
              label="Which activity"
              shown={shown}
              links={usual.map(([word, change]) => [word, hrefOf(change)])}
            />
          </div>
        </div>
      </form>
    </div>
  )
}

const fields = 'grid grid-cols-2 justify-start gap-x-3 gap-y-2'

const Options = ({ choices }: { choices: readonly (readonly [value: string, word: string])[] }) =>
  choices.map(([value, word]) => (
    <option key={value} value={value}>
      {word}
    </option>
  ))

interface SegmentsProps {
  label: string
  /** The address of the current filter. */
  shown: string
  links: readonly (readonly [word: string, href: string])[]
}

const Segments = ({ label, shown, links }: SegmentsProps) => (
  <nav aria-label={label} className={segments}>
    {links.map(([word, href]) => (
      <Link
        key={word}
        href={href}
        prefetch={false}
        aria-current={href === shown ? 'page' : undefined}
        className={segment}
      >
        {word}
      </Link>
    ))}
  </nav>
)
