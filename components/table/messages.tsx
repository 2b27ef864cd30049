'use client'

import type { ReactNode } from 'react'
import { buttonLook } from '#components/ui/button-look.ts'
import { AddressLink } from './address-link.tsx'
import { lastPage } from './table-state.ts'
import type { TableAddress } from './use-table-address.ts'

export const EmptyMessage = ({ children }: { children: ReactNode }) => (
  <div className="mx-auto max-w-prose px-3.5 py-4 text-center text-ink-2 text-sm">{children}</div>
)

/** The address asks for a page that is not there: rows went, or somebody typed it. */
export function PastTheEnd({ address, total }: { address: TableAddress; total: number }) {
  const { page, size } = address.state
  const last = lastPage(total, size)
  return (
    <EmptyMessage>
      <p className="font-semibold text-ink">There is no page {page.toLocaleString('en-US')}</p>
      <p className="mb-3">
        {total.toLocaleString('en-US')} {total === 1 ? 'row' : 'rows'} fill {last.toLocaleString('en-US')}{' '}
        {last === 1 ? 'page' : 'pages'} of {size}.
      </p>
      <AddressLink address={address} change={{ page: last }} className={buttonLook()}>
        Go to page {last.toLocaleString('en-US')}
      </AddressLink>
    </EmptyMessage>
  )
}
