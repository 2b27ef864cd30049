'use client'

import { SlidersHorizontal } from 'lucide-react'
import { useId } from 'react'
import { useAlive } from '#components/ui/alive.ts'
import { Button } from '#components/ui/button.tsx'
import { Choice } from '#components/ui/choice.tsx'
import type { AnyTable } from './columns.ts'
import type { Density, TablePreference } from './table-preference.tsx'

interface ViewMenuProps<Value> {
  table: AnyTable<Value>
  preference: TablePreference
}

/** Which columns are shown and how high the rows are; kept with the person. */
export function ViewMenu<Value>({ table, preference }: ViewMenuProps<Value>) {
  const id = useId()
  const anchor = `--view-${id.replaceAll(/[^\w-]/g, '')}`
  const { density, hidden, unsaved, chooseDensity, hide } = preference
  const alive = useAlive()
  const columns = table.getAllLeafColumns().filter((column) => column.getCanHide())
  const toggle = (column: string, shown: boolean) =>
    hide(shown ? hidden.filter((other) => other !== column) : [...hidden, column])
  return (
    <>
      <Button look="quiet" popoverTarget={id} style={{ anchorName: anchor }}>
        <SlidersHorizontal aria-hidden />
        <span className="max-sm:sr-only">View</span>
      </Button>
      <div
        id={id}
        popover="auto"
        style={{ positionAnchor: anchor }}
        className="inset-auto m-0 mt-1 w-60 rounded-lg border border-line bg-surface p-3.5 text-ink shadow-[var(--lift)] [position-area:bottom_span-left]"
      >
        <fieldset disabled={!alive} className="mb-3">
          <legend className="mb-1 text-ink-3 text-xs">Columns</legend>
          {columns.map((column) => (
            <label key={column.id} className="flex min-h-7 cursor-pointer items-center gap-2 text-sm">
              <input
                type="checkbox"
                className="size-4 accent-accent"
                checked={column.getIsVisible()}
                onChange={(event) => toggle(column.id, event.currentTarget.checked)}
              />
              {String(column.columnDef.header)}
            </label>
          ))}
        </fieldset>
        <Choice<Density>
          legend="Rows, in every table"
          name={`density-${id}`}
          value={density}
          options={[
            ['normal', 'Normal'],
            ['compact', 'Compact'],
          ]}
          onChoose={chooseDensity}
        />
        {unsaved ? (
          <p role="alert" className="mb-2 text-danger text-sm">
            The choice holds here, but it was not saved.
          </p>
        ) : null}
        <Button className="w-full" disabled={hidden.length === 0} onClick={() => hide([])}>
          Show all columns
        </Button>
      </div>
    </>
  )
}
