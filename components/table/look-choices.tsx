import { useId } from 'react'
import { Choice } from '#components/form/choice.tsx'
import { Button } from '#components/ui/button.tsx'
import { FormError } from '#components/ui/field.tsx'
import { useHydrated } from '#components/ui/hydrated.tsx'
import type { Density, TablePreference } from './table-preference.tsx'

interface LookChoicesProps {
  /** Only columns that can be hidden. */
  columns: readonly { id: string; columnDef: { header?: unknown }; getIsVisible(): boolean }[]
  preference: TablePreference
  /** Otherwise the choices are the operator's preferences. */
  ofView: boolean
}

export function LookChoices({ columns, preference, ofView }: LookChoicesProps) {
  const id = useId()
  const { density, hidden, unsaved, chooseDensity, hide } = preference
  const hydrated = useHydrated()
  const toggle = (column: string, shown: boolean) =>
    hide(shown ? hidden.filter((other) => other !== column) : [...hidden, column])
  return (
    <>
      <fieldset disabled={!hydrated} className="mb-3">
        <legend className="mb-1 text-muted-foreground text-xs">{ofView ? 'Columns, in this view' : 'Columns'}</legend>
        {columns.map((column) => (
          <label key={column.id} className="flex min-h-7 cursor-pointer items-center gap-2 text-sm">
            <input
              type="checkbox"
              className="size-4 accent-primary"
              checked={column.getIsVisible()}
              onChange={(event) => toggle(column.id, event.currentTarget.checked)}
            />
            {String(column.columnDef.header)}
          </label>
        ))}
      </fieldset>
      <Choice<Density>
        legend={ofView ? 'Rows, in this view' : 'Rows, in every table'}
        name={`density-${id}`}
        value={density}
        options={[
          ['normal', 'Normal'],
          ['compact', 'Compact'],
        ]}
        onChoose={chooseDensity}
      />
      <FormError fault={unsaved ? 'This choice applies here. It may not be saved for later.' : null} className="mb-2" />
      <Button variant="outline" className="w-full" disabled={hidden.length === 0} onClick={() => hide([])}>
        Show all columns
      </Button>
    </>
  )
}
