import Link from 'next/link'
import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { type ComponentProps, type ReactNode, useMemo, useTransition } from 'react'
import { useTabIndex } from '#components/ui/kbd.tsx'
import { type Addressable, changedQuery, type ReadTableState, readTableState, type TableState } from './table-state.ts'
import { withQuery } from './view-address.ts'

type AddressLinkProps = Omit<ComponentProps<typeof Link>, 'href'> & {
  address: TableAddress
  change: Partial<TableState>
  /** Stays rendered, so that it keeps the focus. */
  disabled?: boolean
}

/** A real link, so that it also opens in a new tab. */
export const AddressLink = ({ address, change, disabled = false, ...rest }: AddressLinkProps) => (
  <Link
    href={address.hrefFor(disabled ? {} : change)}
    prefetch={false}
    aria-disabled={disabled || undefined}
    tabIndex={disabled ? -1 : undefined}
    onNavigate={(event) => {
      event.preventDefault()
      if (!disabled) address.go(change)
    }}
    {...rest}
  />
)

export function RowLink({ href, children }: { href: string; children: ReactNode }) {
  const tabIndex = useTabIndex()
  return (
    <Link
      href={href}
      prefetch={false}
      tabIndex={tabIndex}
      className="inline-flex min-h-6 items-center rounded-sm px-1 font-[550] text-primary underline-offset-4 hover:underline"
    >
      {children}
    </Link>
  )
}

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
  const hrefFor = (change: Partial<TableState>): string =>
    withQuery(path, changedQuery(new URLSearchParams(query.toString()), read.state, change))
  const go = (change: Partial<TableState>) => {
    const href = hrefFor(change)
    if (rows === 'at hand') window.history.pushState(null, '', href)
    else startGoing(() => router.push(href, { scroll: false }))
  }
  return { ...read, hrefFor, go, pending }
}
