'use client'

import { useRouter } from 'next/navigation'
import { type FormEvent, useId, useMemo, useTransition } from 'react'
import { OutcomeBadge } from '#components/command/command-row.tsx'
import { ExportButton, ExportStrip } from '#components/export/export-strip.tsx'
import { useExport } from '#components/export/running-exports.ts'
import { SelectField } from '#components/form/select-field.tsx'
import { fieldReference, fieldText, TextField } from '#components/form/text-field.tsx'
import { ButtonLink } from '#components/frame/panel.tsx'
import type { Column } from '#components/table/columns.ts'
import { AddressFaults, DataTable } from '#components/table/data-table.tsx'
import { RowLink, useTableAddress } from '#components/table/table-address.tsx'
import { usePageTable } from '#components/table/use-table.ts'
import { Button } from '#components/ui/button.tsx'
import { Card } from '#components/ui/card.tsx'
import { Search } from '#components/ui/icons.tsx'
import { Money } from '#components/values/money.tsx'
import { Reference } from '#components/values/reference.tsx'
import { ListTime, serverNowMs, useDayZone } from '#components/values/timestamp.tsx'
import type { FileFormat } from '#lib/activity/activity-file.ts'
import type { ActivityRow } from '#lib/activity/activity-filter.ts'
import {
  type ActivityFilter,
  ALL_ACTIVITY,
  filterQuery,
  kindChoices,
  ME,
  outcomeWords,
} from '#lib/activity/activity-filter.ts'
import { dayOf, daysBefore } from '#lib/values/time.ts'
import { visibleText } from '#lib/values/visible-text.ts'
import { Segments } from '../disputes/queue-links.tsx'

const NAME = 'changes'

interface ActivityTableProps {
  filter: ActivityFilter
  /** Filter values in the address that are not valid. */
  faults: readonly string[]
  rows: readonly ActivityRow[]
  total: number
  people: readonly string[]
}

export function ActivityTable({ filter, faults, rows: found, total, people }: ActivityTableProps) {
  const address = useTableAddress('of the service')
  const rows = useMemo(() => found.map((value) => ({ readable: true, value }) as const), [found])
  const kit = usePageTable({ name: NAME, columns: activityColumns, reading: { kind: 'rows', rows, total }, address })
  const query = filterQuery(filter).toString()
  const [csv, json] = [useExport(exportAddress('csv', query)), useExport(exportAddress('json', query))]
  return (
    <>
      <Card>
        <FilterForm key={query} filter={filter} people={people} />
      </Card>
      <DataTable
        name={NAME}
        kit={kit}
        address={address}
        title="Activity, newest first"
        label="Activity"
        opensByClick
        tools={
          faults.length > 0 ? null : (
            <>
              <ExportButton running={csv} />
              <ExportButton running={json} as="JSON" />
            </>
          )
        }
        strip={
          <>
            <AddressFaults faults={faults} />
            <ExportStrip running={csv} />
            <ExportStrip running={json} />
          </>
        }
        empty={<p>{query === '' ? NOTHING_YET : 'No activity matches this filter.'}</p>}
      />
    </>
  )
}

const NOTHING_YET = 'No activity yet.'

const exportAddress = (format: FileFormat, query: string): string =>
  `/api/export/activity?format=${format}${query === '' ? '' : `&${query}`}`

export const activityColumns: readonly Column<ActivityRow>[] = [
  { id: 'time', head: 'Time', cell: ({ at }) => <ListTime value={at} /> },
  {
    id: 'by',
    head: 'By',
    cell: ({ actorName }) => (
      <span className="inline-block max-w-[26ch] truncate align-middle" title={visibleText(actorName)}>
        {visibleText(actorName)}
      </span>
    ),
  },
  {
    id: 'change',
    head: 'What',
    always: true,
    cell: ({ id, title }) => (
      // Aligns the link's text, not its padding, with the column head.
      <span className="-ml-1">
        <RowLink href={`/activity/${id}`}>{visibleText(title)}</RowLink>
      </span>
    ),
  },
  {
    id: 'about',
    head: 'About',
    cell: ({ target }) => (target === '' ? null : <Reference short value={target} name="What it is about" />),
  },
  {
    id: 'amount',
    head: 'Amount',
    align: 'right',
    cell: ({ amount }) => (amount === null ? null : <Money amount={amount} />),
  },
  { id: 'outcome', head: 'Outcome', cell: (row) => <OutcomeCell row={row} /> },
]

function OutcomeCell({ row: { outcome, details } }: { row: ActivityRow }) {
  if (outcome !== null) return <OutcomeBadge command={{ outcome }} />
  return (
    <span
      className="inline-block max-w-[34ch] truncate align-middle text-secondary-foreground"
      title={visibleText(details)}
    >
      {visibleText(details)}
    </span>
  )
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
  ['Not known yet, or in progress', { outcome: 'open' }],
  ['Happened after all', { outcome: 'late' }],
]

/** Without JavaScript, the browser submits the form, and days are days in UTC. */
function FilterForm({ filter, people }: { filter: ActivityFilter; people: readonly string[] }) {
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
          <SelectField label="Outcome" name="outcome" initial={filter.outcome} help="Changes only">
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
            help="In full. Also a bank’s reference or trace id"
          />
          <div className="flex items-start gap-2 max-sm:col-span-full sm:pt-5.5">
            <Button type="submit" variant="outline" size="field" disabled={going}>
              <Search aria-hidden />
              Show
            </Button>
            {shown === '/activity' ? null : (
              <ButtonLink href="/activity" variant="ghost" size="field">
                Clear
              </ButtonLink>
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
          <TextField label="To" name="to" type="date" initial={filter.to} help="Last day" />
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
