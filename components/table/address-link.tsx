'use client'

import Link from 'next/link'
import type { ComponentProps } from 'react'
import type { TableState } from './table-state.ts'
import type { TableAddress } from './use-table-address.ts'

type AddressLinkProps = Omit<ComponentProps<typeof Link>, 'href'> & {
  address: TableAddress
  change: Partial<TableState>
  /** It leads nowhere right now. It stays where it is, so that a focus on it is not lost. */
  barred?: boolean
}

/** A link that changes one thing about a table: real, so that it opens in a new tab as well. */
export function AddressLink({ address, change, barred = false, ...rest }: AddressLinkProps) {
  return (
    <Link
      href={address.hrefFor(barred ? {} : change)}
      prefetch={false}
      aria-disabled={barred || undefined}
      tabIndex={barred ? -1 : undefined}
      onNavigate={(event) => {
        event.preventDefault()
        if (!barred) address.go(change)
      }}
      {...rest}
    />
  )
}
