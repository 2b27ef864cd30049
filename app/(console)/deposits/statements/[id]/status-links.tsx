import { AddressLink } from '#components/table/address-link.tsx'
import type { TableAddress } from '#components/table/use-table-address.ts'
import { isHandled, type LineStatus, lineStatusWords } from '#lib/statements/statement-line.ts'
import type { LineCounts } from '#lib/statements/statement-view.ts'
import { NEXT_STEP } from './next-step.ts'

/** `always` false: the list is shown only while it has lines. */
const lists: readonly (readonly [status: LineStatus, always: boolean])[] = [
  ['ready', true],
  ['by-hand', false],
  ['mismatched', true],
  ['elsewhere', false],
  ['unknown', true],
  ['unread', false],
  ['open', false],
  ['refused', false],
  ['done', true],
  ['set-aside', true],
]

export function StatusLinks({ address, counts }: { address: TableAddress; counts: LineCounts }) {
  const shown = address.state.filters.show ?? ''
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const links = [
    ['', 'All', all] as const,
    ...lists.flatMap(([status, always]) => {
      const count = counts[status] ?? 0
      return always || count > 0 || shown === status ? [[status, lineStatusWords[status], count] as const] : []
    }),
  ]
  return (
    <nav aria-label="Lines by where they stand" className="mb-3 flex flex-wrap gap-1.5">
      {links.map(([status, word, count]) => (
        <AddressLink
          key={status}
          address={address}
          change={{ filters: { show: status } }}
          {...{ [NEXT_STEP]: stepOf(status, count) }}
          aria-current={shown === status ? 'page' : undefined}
          className="inline-flex min-h-8 items-center gap-1.5 rounded-full border bg-card px-3 text-secondary-foreground text-sm hover:text-foreground aria-[current]:border-primary aria-[current]:font-semibold aria-[current]:text-foreground"
        >
          {word}
          <span className="figures text-xs">{count.toLocaleString('en-US')}</span>
        </AddressLink>
      ))}
    </nav>
  )
}

function stepOf(status: LineStatus | '', count: number): string | undefined {
  if (status === '') return 'lines'
  return count > 0 && status !== 'ready' && status !== 'open' && !isHandled(status) ? 'list' : undefined
}
