import { useId } from 'react'
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '#components/ui/select.tsx'
import type { TableAddress } from './table-address.tsx'
import type { Sort } from './table-state.ts'

const UNSORTED = 'none'

const sorts = (column: string): readonly Sort[] => [
  { column, descending: false },
  { column, descending: true },
]

const sortText = (sort: Sort | null): string =>
  sort === null ? UNSORTED : `${sort.column} ${sort.descending ? 'descending' : 'ascending'}`

interface SortByProps {
  columns: readonly { readonly id: string; readonly head: string }[]
  address: TableAddress
}

export function SortBy({ columns, address }: SortByProps) {
  const id = useId()
  const all = columns.flatMap((column) => sorts(column.id).map((sort) => ({ ...column, sort })))
  return (
    <div className="flex items-center gap-3 px-3.5 py-2 text-sm">
      <label htmlFor={id} className="shrink-0 text-muted-foreground">
        Sort by
      </label>
      <Select
        value={sortText(address.state.sort)}
        onValueChange={(chosen) =>
          address.go({ sort: all.find(({ sort }) => sortText(sort) === chosen)?.sort ?? null })
        }
      >
        <SelectTrigger id={id} className="min-w-0 flex-1">
          <SelectValue />
        </SelectTrigger>
        <SelectContent>
          <SelectItem value={UNSORTED}>Default order</SelectItem>
          {all.map(({ head, sort }) => (
            <SelectItem key={sortText(sort)} value={sortText(sort)}>
              {head}, {sort.descending ? 'descending' : 'ascending'}
            </SelectItem>
          ))}
        </SelectContent>
      </Select>
    </div>
  )
}
