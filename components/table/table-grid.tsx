'use client'

import { type ReactNode, useEffect, useId, useRef } from 'react'
import { ProblemPanel } from '#components/domain/problem-panel.tsx'
import { classes } from '#components/ui/classes.ts'
import { BodyRow } from './body-row.tsx'
import { HeadCell } from './head-cell.tsx'
import { EmptyMessage, PastTheEnd } from './messages.tsx'
import { OutlineRows } from './outline-rows.tsx'
import type { Density } from './table-preference.tsx'
import { useRowClicks } from './use-row-clicks.ts'
import { useRowKeys } from './use-row-keys.ts'
import { useSlow } from './use-slow.ts'
import type { KitTable } from './use-table.ts'
import type { TableAddress } from './use-table-address.ts'

interface TableGridProps<Value> {
  kit: KitTable<Value>
  address: TableAddress
  label: string
  density: Density
  empty: ReactNode
  opensByClick: boolean
}

/** Head and rows; the head stays in sight, and so does the first column. */
export function TableGrid<Value>({ kit, address, label, density, empty, opensByClick }: TableGridProps<Value>) {
  const { table, reading, firstPlace } = kit
  const { page, size } = address.state
  const { rows } = table.getRowModel()
  const columns = table.getVisibleLeafColumns()
  const keysId = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const openable = rows.filter((row) => row.original.readable).map(({ id }) => id)
  const stop = useRowKeys(scroller, openable, `${page}/${size}`)
  useRowClicks(scroller, opensByClick)
  const loading = useSlow(address.pending) || reading.kind === 'loading'
  useEffect(() => {
    if (page > 0 && size > 0) scroller.current?.scrollTo({ top: 0 })
  }, [page, size])
  return (
    <div
      ref={scroller}
      data-table // What is positioned inside, texts for listeners too, must not reach out of it.
      className={classes(
        'relative min-h-0 flex-auto scroll-pt-8 overscroll-x-contain',
        // Outlines hold nothing that the keyboard could scroll by, and nothing to be read.
        loading ? 'overflow-hidden' : 'overflow-auto',
      )}
    >
      <p id={keysId} className="sr-only">
        j and k move between rows, Enter opens one.
      </p>
      <table
        aria-label={label}
        aria-busy={loading || address.pending}
        aria-describedby={keysId}
        data-density={density}
        className={classes(
          'group/table w-full border-separate border-spacing-0 text-sm',
          opensByClick && '[&_[data-row]]:cursor-pointer',
        )}
      >
        <thead className="sticky top-0 z-10">
          <tr>
            {table.getFlatHeaders().map((header) => (
              <HeadCell key={header.id} header={header} address={address} />
            ))}
          </tr>
        </thead>
        <tbody>
          {loading ? <OutlineRows count={rows.length === 0 ? size : rows.length} columns={columns} /> : null}
          {loading
            ? null
            : rows.map((row) => (
                <BodyRow
                  key={row.id}
                  row={row}
                  columns={columns}
                  stop={row.id === stop}
                  place={firstPlace + row.index}
                />
              ))}
        </tbody>
      </table>
      {loading || rows.length > 0 ? null : (
        <div className="sticky left-0 grid min-h-36 items-center">
          <NoRows kit={kit} address={address} empty={empty} />
        </div>
      )}
    </div>
  )
}

/** Why there are no rows. A failure never looks like an empty table. */
function NoRows<Value>({ kit, address, empty }: Pick<TableGridProps<Value>, 'kit' | 'address' | 'empty'>) {
  const { reading, total } = kit
  if (reading.kind === 'problem') return <ProblemPanel problem={reading.problem} />
  if (total !== null && total > 0) return <PastTheEnd address={address} total={total} />
  return <EmptyMessage>{empty}</EmptyMessage>
}
