import Link from 'next/link'
import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { type FormEvent, useTransition } from 'react'
import { fieldText } from '#components/form/field-text.ts'
import { SelectField } from '#components/form/select-field.tsx'
import { TextField } from '#components/form/text-field.tsx'
import { AddressLink } from '#components/table/address-link.tsx'
import { lastPage } from '#components/table/table-state.ts'
import type { TableAddress } from '#components/table/use-table-address.ts'
import { Button, buttonVariants } from '#components/ui/button.tsx'
import { Search } from '#components/ui/icons.tsx'
import { useDayZone } from '#components/values/use-day-zone.ts'
import { transactionStates } from '#lib/contract/transaction-states.ts'
import { transactionStateWords } from '#lib/transactions/transaction-state.ts'
import { type HistoryFilter, withHistoryFilter } from '#lib/users/history-filter.ts'
import { serviceWord } from '#lib/values/service-words.ts'
import { visibleText } from '#lib/values/visible-text.ts'

export interface FilteredPage {
  readonly shown: number
  /** Rows on the page before filtering. */
  readonly read: number
  /** Rows in the whole history. */
  readonly total: number
}

interface HistoryFilterFormProps {
  filter: HistoryFilter | null
  /** The states and types of the rows on this page; the service may send names that this console does not know. */
  states: readonly string[]
  types: readonly string[]
}

const withChosen = (names: readonly string[], chosen: string): string[] => [
  ...new Set(chosen === '' ? names : [...names, chosen]),
]

/** Filters only the rows of the current page. */
export function HistoryFilterForm({ filter, states, types }: HistoryFilterFormProps) {
  const router = useRouter()
  const path = usePathname()
  const query = useSearchParams()
  const [going, startGoing] = useTransition()
  const zone = useDayZone()
  const hrefOf = (wanted: HistoryFilter | null): string => {
    const asked = withHistoryFilter(new URLSearchParams(query.toString()), wanted).toString()
    return asked === '' ? path : `${path}?${asked}`
  }
  const show = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const text = (name: keyof HistoryFilter) => fieldText(event.currentTarget, name)
    const [from, to] = [text('from'), text('to')]
    const days = { from, to, zone: from === '' && to === '' ? '' : zone }
    startGoing(() => router.push(hrefOf({ state: text('state'), type: text('type'), ...days }), { scroll: false }))
  }
  return (
    <form
      onSubmit={show}
      action={path}
      className="grid grid-cols-2 gap-x-3 gap-y-2 px-3.5 py-2.5 sm:grid-cols-[repeat(auto-fit,minmax(148px,1fr))]"
    >
      <SelectField label="State" name="state" initial={filter?.state ?? ''}>
        <option value="">Any state</option>
        {withChosen([...transactionStates, ...states], filter?.state ?? '').map((state) => (
          <option key={state} value={state}>
            {visibleText(transactionStateWords(state).word)}
          </option>
        ))}
      </SelectField>
      <SelectField label="Type" name="type" initial={filter?.type ?? ''}>
        <option value="">Any type</option>
        {withChosen(types, filter?.type ?? '').map((type) => (
          <option key={type} value={type}>
            {visibleText(serviceWord('transactionType', type) ?? type)}
          </option>
        ))}
      </SelectField>
      <div className="flex items-start gap-2 max-sm:col-span-full sm:pt-5.5">
        <Button type="submit" variant="outline" size="field" disabled={going}>
          <Search aria-hidden />
          Show
        </Button>
        {filter === null ? null : (
          <Link href={hrefOf(null)} prefetch={false} className={buttonVariants({ variant: 'ghost', size: 'field' })}>
            Clear
          </Link>
        )}
      </div>
      {/* A date field takes four Tab stops, so the dates come after the button. */}
      <TextField
        label="From"
        name="from"
        type="date"
        initial={filter?.from ?? ''}
        help={`A day in ${filter?.zone || zone}`}
      />
      <TextField label="To" name="to" type="date" initial={filter?.to ?? ''} help="The last day" />
      <div className="max-sm:col-span-full sm:pt-5.5">
        <Button type="submit" variant="outline" size="field" disabled={going}>
          Show these days
        </Button>
      </div>
    </form>
  )
}

const count = (rows: number): string => rows.toLocaleString('en-US')

/** The links to other pages keep the filter. */
export function FilteredNote({ filtered, address }: { filtered: FilteredPage; address: TableAddress }) {
  const { shown, read, total } = filtered
  const { page, size } = address.state
  const last = lastPage(total, size)
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b bg-muted px-3.5 py-2 text-secondary-foreground text-sm">
      <p role="status" className="figures mr-auto">
        Filters what is on page {count(page)} of {count(last)}: {count(shown)} of {count(read)} rows shown. The history
        has {count(total)}, and the service filters none of it: an export reads all and keeps what fits.
      </p>
      <nav aria-label="Pages of the history" className="flex gap-2">
        <AddressLink
          address={address}
          change={{ page: Math.max(1, page - 1) }}
          disabled={page <= 1}
          className={buttonVariants({ variant: 'outline' })}
        >
          Newer page
        </AddressLink>
        <AddressLink
          address={address}
          change={{ page: page + 1 }}
          disabled={page >= last}
          className={buttonVariants({ variant: 'outline' })}
        >
          Older page
        </AddressLink>
      </nav>
    </div>
  )
}
