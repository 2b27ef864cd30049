import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { useMemo, useTransition } from 'react'
import { type Addressable, changedQuery, type ReadTableState, readTableState, type TableState } from './table-state.ts'

export interface TableAddress extends ReadTableState {
  hrefFor(change: Partial<TableState>): string
  /** Adds a history entry. */
  go(change: Partial<TableState>): void
  readonly pending: boolean
}

/** `of the service`: a change requests rows from the server. `at hand`: it only changes the address. */
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
