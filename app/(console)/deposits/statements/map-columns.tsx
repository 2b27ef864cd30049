import { type FormEvent, useState } from 'react'
import { Choice } from '#components/form/choice.tsx'
import { Button } from '#components/ui/button.tsx'
import { CardFooter } from '#components/ui/card.tsx'
import type { ColumnMapping, CsvHead } from '#lib/statements/file/csv.ts'
import { type ColumnField, guessMapping } from '#lib/statements/guess-mapping.ts'
import { visibleText } from '#lib/values/visible-text.ts'

const fields: readonly (readonly [field: ColumnField, label: string, help: string])[] = [
  ['reference', 'Reference', 'The deposit’s reference, alone in its column.'],
  ['amount', 'Amount', 'What the bank received.'],
  ['bankReference', 'Bank’s reference', 'The bank’s own name for the payment.'],
  ['bookedOn', 'Booked on', ''],
  ['currency', 'Currency', ''],
  ['text', 'Free text', 'What the payer wrote. It is searched for references.'],
]
const REQUIRED: ReadonlySet<ColumnField> = new Set(['amount'])

interface MapColumnsProps {
  fileName: string
  head: CsvHead
  importing: boolean
  onMap: (mapping: ColumnMapping) => void
}

/** Which column of a bank's table carries what; remembered for these columns. */
export function MapColumns({ fileName, head, importing, onMap }: MapColumnsProps) {
  const [guessed] = useState(() => guessMapping(head))
  const [decimalMark, setDecimalMark] = useState(guessed.decimalMark)
  const [missing, setMissing] = useState<ReadonlySet<string>>(new Set())
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const chosen = (field: ColumnField): string | null => {
      const at = String(form.get(field) ?? '')
      return at === '' ? null : (head.columns[Number(at)] ?? null)
    }
    const [reference, amount, text] = [chosen('reference'), chosen('amount'), chosen('text')]
    const nowhere = reference === null && text === null
    setMissing(new Set([nowhere ? 'reference' : '', amount === null ? 'amount' : '']))
    if (nowhere || amount === null) return
    onMap({
      reference,
      amount,
      bankReference: chosen('bankReference'),
      bookedOn: chosen('bookedOn'),
      currency: chosen('currency'),
      text,
      decimalMark,
    })
  }
  return (
    <form onSubmit={submit} method="post" className="border-t">
      <div className="px-3.5 pt-3.5">
        <h3 className="font-semibold">Which column carries what</h3>
        <p className="mt-0.5 break-words text-secondary-foreground text-sm">
          {Object.keys(guessed.columns).length === 0 ? '' : 'Filled in from the column heads. Check every choice. '}
          Asked once for tables with the columns of {visibleText(fileName)}.
        </p>
      </div>
      <Sample head={head} />
      <div className="grid gap-x-4 gap-y-2 px-3.5 sm:grid-cols-2 wide:grid-cols-3">
        {fields.map(([field, label, help]) => (
          <ColumnChoice
            key={field}
            field={field}
            label={label}
            help={help}
            columns={head.columns}
            guessed={guessed.columns[field] ?? null}
            missing={missing.has(field)}
          />
        ))}
        <div className="max-w-sm sm:col-span-2">
          <Choice
            legend="Before the cents stands"
            name="decimalMark"
            value={decimalMark}
            options={[
              ['point', 'a point: 1,250.00'],
              ['comma', 'a comma: 1.250,00'],
            ]}
            onChoose={setDecimalMark}
          />
        </div>
      </div>
      <CardFooter className="justify-end">
        <Button type="submit" disabled={importing} className="max-w-full">
          <span className="truncate">{importing ? 'Reading the file' : `Import ${visibleText(fileName)}`}</span>
        </Button>
      </CardFooter>
    </form>
  )
}

/** The first rows, to see what each column holds. A formula is text like any other. */
function Sample({ head: { columns, sample } }: { head: CsvHead }) {
  return (
    <section
      aria-label="First rows of the file"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
      tabIndex={0}
      className="m-3.5 overflow-x-auto rounded-md border"
    >
      <table className="w-full whitespace-nowrap text-left text-xs">
        <thead className="bg-muted">
          <tr>
            {columns.map((column, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have one heading.
              <th key={at} className="max-w-60 truncate px-2 py-1 font-[550]">
                {visibleText(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sample.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name.
            <tr key={at} className="border-t">
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells have no other name.
                <td key={column} className="max-w-60 truncate px-2 py-1">
                  {visibleText(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const missingWords = (field: ColumnField): string =>
  field === 'reference'
    ? 'Choose the column that carries it, or a free text in which it stands.'
    : 'Choose the column that carries it.'

interface ColumnChoiceProps {
  field: ColumnField
  label: string
  help: string
  columns: readonly string[]
  /** The place of the column that it seems to be. */
  guessed: number | null
  missing: boolean
}

function ColumnChoice({ field, label, help, columns, guessed, missing }: ColumnChoiceProps) {
  return (
    <label className="block min-w-0">
      <span className="mb-1 block font-[550] text-sm">{label}</span>
      <select
        name={field}
        defaultValue={guessed ?? ''}
        aria-invalid={missing}
        className="min-h-8.5 w-full min-w-0 rounded-md border border-input bg-card px-2 text-sm aria-invalid:border-danger"
      >
        <option value="">{REQUIRED.has(field) ? 'Choose a column' : 'None'}</option>
        {columns.map((column, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have one heading.
          <option key={at} value={at}>
            {visibleText(column)}
          </option>
        ))}
      </select>
      <span
        className={
          missing ? 'mt-1 block min-h-4 text-danger text-xs' : 'mt-1 block min-h-4 text-muted-foreground text-xs'
        }
      >
        {missing ? missingWords(field) : help}
      </span>
    </label>
  )
}
