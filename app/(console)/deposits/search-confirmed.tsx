import Form from 'next/form'
import { DateField } from '#components/form/date-field.tsx'
import { ClearLink } from '#components/table/saved-views.tsx'
import { SearchButton } from '#components/ui/button.tsx'
import { Card } from '#components/ui/card.tsx'
import { Field, FieldDescription, FieldLabel } from '#components/ui/field.tsx'
import { Input } from '#components/ui/input.tsx'
import { config } from '#lib/config/config.ts'
import { isSearch, readConfirmedSearch } from '#lib/deposits/confirmed-search.ts'

/** The id of the list of people, which is read later. */
export const CONFIRMERS = 'confirmers'

const KEPT = ['reference', 'size', 'view'] as const

export function SearchConfirmed({ query }: { query: URLSearchParams }) {
  const { search } = readConfirmedSearch(query)
  const kept = KEPT.flatMap((name) => (query.get(name) ? [[name, query.get(name) ?? '']] : []))
  const unsearched = new URLSearchParams(kept).toString()
  return (
    <Card>
      <Form
        key={JSON.stringify(search)}
        action="/deposits"
        prefetch={false}
        scroll={false}
        role="search"
        aria-label="Confirmed deposits"
        className="grid grid-cols-2 justify-start gap-x-3 px-3.5 pt-2.5 pb-1 sm:grid-cols-[minmax(0,18rem)_minmax(0,15rem)_minmax(0,13rem)_auto]"
      >
        {kept.map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <Field>
          <FieldLabel htmlFor="bank">Bank reference</FieldLabel>
          <Input id="bank" name="bank" defaultValue={search.bank} aria-describedby="bank-help" className="mono" />
          <FieldDescription id="bank-help">In full, or its beginning</FieldDescription>
        </Field>
        <Field>
          <FieldLabel htmlFor="by">Confirmed by</FieldLabel>
          <Input id="by" name="by" list={CONFIRMERS} defaultValue={search.by} aria-describedby="by-help" />
          <FieldDescription id="by-help">me, or a name’s beginning</FieldDescription>
        </Field>
        <DateField label="Day" name="day" initial={query.get('day') ?? ''} zone={config().businessZone} />
        <div className="flex items-start gap-2 pt-5.5">
          <SearchButton>Search</SearchButton>
          {isSearch(search) ? <ClearLink href={unsearched === '' ? '/deposits' : `/deposits?${unsearched}`} /> : null}
        </div>
      </Form>
    </Card>
  )
}
