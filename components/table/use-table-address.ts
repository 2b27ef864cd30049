import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { useMemo, useTransition } from 'react'
import { type Addressable, changedQuery, type ReadTableState, readTableState, type TableState } from './table-state.ts'

export interface TableAddress extends ReadTableState {
  /** Where a change leads; the rest of the query stays. */
  hrefFor(change: Partial<TableState>): string
  /** Goes there, so that Back comes back. */
  go(change: Partial<TableState>): void
  /** Whether the rows of another address are on their way. */
  readonly pending: boolean
}

/**
 * The address as the place where a table's page, size, order and filters are kept. With `rows: 'of the service'` a change
 * asks the server for other rows; with `'at hand'` it changes the address alone.
 */
export function useTableAddress(rows: 'of the service' | 'at hand', addressable?: Addressable): TableAddress {
  const router = useRouter()
  const path = usePathname()
  const query = useSearchParams()
  const [pending, startGoing] = useTransition()
  const read = useMemo(() => readTableState(new URLSearchParams(query.toString()), addressable), [query, addressable])
  const hrefFor = (change: Partial<TableState>): string => {
    const text = changedQuery(new URLSearchParams(query.toString()), read.state, change).toString()
    return text === '' ? path : `${path}?${text}`
  }
  const go = (change: Partial<TableState>) => {
    const href = hrefFor(change)
    if (rows === 'at hand') window.history.pushState(null, '', href)
    else startGoing(() => router.push(href, { scroll: false }))
  }
  return { ...read, hrefFor, go, pending }
}
