'use client'

import { ChevronFirst, ChevronLast, ChevronLeft, ChevronRight, type LucideIcon } from 'lucide-react'
import { classes } from '#components/ui/classes.ts'
import { AddressLink } from './address-link.tsx'
import { lastPage, PAGE_SIZES } from './table-state.ts'
import type { KitTable } from './use-table.ts'
import type { TableAddress } from './use-table-address.ts'

interface PagingFooterProps<Value> {
  kit: KitTable<Value>
  address: TableAddress
  label: string
}

/** Which rows of how many, the pages around, and how many rows a page has. */
export function PagingFooter<Value>({ kit, address, label }: PagingFooterProps<Value>) {
  const { page, size } = address.state
  const last = kit.total === null ? null : lastPage(kit.total, size)
  const steps: readonly (readonly [word: string, to: number | null, icon: LucideIcon])[] = [
    ['First page', page > 1 ? 1 : null, ChevronFirst],
    ['Previous page', page > 1 ? Math.min(page - 1, last ?? page) : null, ChevronLeft],
    ['Next page', last !== null && page < last ? page + 1 : null, ChevronRight],
    ['Last page', last !== null && page < last ? last : null, ChevronLast],
  ]
  return (
    <footer className="flex min-h-11 flex-wrap items-center gap-x-2 gap-y-1 border-line border-t px-3.5 py-1.5 sm:gap-x-4 text-ink-2 text-sm">
      <p role="status" className="figures mr-auto">
        {rangeText(kit, address)}
      </p>
      <nav aria-label={`Rows a page: ${label}`} className="flex items-center gap-0.5">
        <span aria-hidden className="mr-1 hidden text-ink-3 text-xs sm:inline">
          Rows
        </span>
        {PAGE_SIZES.map((option) => (
          <AddressLink
            key={option}
            address={address}
            change={{ size: option }}
            aria-label={`${option} rows a page`}
            aria-current={option === size ? 'true' : undefined}
            className="figures grid min-h-7 min-w-7 place-items-center rounded px-1 sm:min-w-8 sm:px-1.5 text-xs hover:bg-sunken hover:text-ink aria-[current]:bg-sunken aria-[current]:font-semibold aria-[current]:text-ink"
          >
            {option}
          </AddressLink>
        ))}
      </nav>
      <nav aria-label={`Pages: ${label}`} className="flex items-center gap-0.5">
        {steps.map(([word, to, Icon]) => (
          <AddressLink
            key={word}
            address={address}
            change={{ page: to ?? page }}
            barred={to === null}
            aria-label={word}
            title={word}
            className={classes(
              'grid size-7 place-items-center rounded [&_svg]:size-4',
              to === null ? 'cursor-not-allowed opacity-40' : 'hover:bg-sunken hover:text-ink',
            )}
          >
            <Icon aria-hidden />
          </AddressLink>
        ))}
      </nav>
    </footer>
  )
}

const count = (rows: number): string => rows.toLocaleString('en-US')

/** `21–40 of 1,204`. */
function rangeText<Value>({ table, reading, total }: KitTable<Value>, { state, pending }: TableAddress): string {
  if (reading.kind === 'loading' || pending) return 'Reading'
  if (total === null) return 'Not read'
  if (total === 0) return 'No rows'
  const rows = table.getRowModel().rows.length
  if (rows === 0) return `None of ${count(total)}`
  const before = (state.page - 1) * state.size
  return `${count(before + 1)}–${count(before + rows)} of ${count(total)}`
}
