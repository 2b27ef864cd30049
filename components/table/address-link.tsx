import Link from 'next/link'
import type { ComponentProps } from 'react'
import type { TableState } from './table-state.ts'
import type { TableAddress } from './use-table-address.ts'

type AddressLinkProps = Omit<ComponentProps<typeof Link>, 'href'> & {
  address: TableAddress
  change: Partial<TableState>
  /** Stays rendered, so that it keeps the focus. */
  disabled?: boolean
}

/** A real link, so that it also opens in a new tab. */
export function AddressLink({ address, change, disabled = false, ...rest }: AddressLinkProps) {
  return (
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
}
