import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { Choice } from '#components/form/choice.tsx'
import { FieldNote, TextField } from '#components/form/text-field.tsx'
import { Button } from '#components/ui/button.tsx'
import { CardFooter } from '#components/ui/card.tsx'
import { Field, FieldLabel } from '#components/ui/field.tsx'
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '#components/ui/select.tsx'
import { PlainTable } from '#components/ui/table.tsx'
import type {
  ColumnField,
  ColumnMapping,
  DraftMapping,
  MeaningField,
  TableView,
} from '#lib/statements/file/statement.ts'
import { visibleText } from '#lib/values/text.ts'
import { DateOrderChoice, DecimalMark, datesToChoose, type Mark, markToSend } from './amounts-and-dates.tsx'

const fields: readonly (readonly [field: ColumnField, label: string, help: string])[] = [
  ['reference', 'Reference', 'The deposit’s reference, with no other text.'],
  ['amount', 'Amount', 'Amount received.'],
  ['bankReference', 'Bank’s reference', 'The bank’s id for the payment.'],
  ['bookedOn', 'Booked on', ''],
  ['currency', 'Currency', 'Not needed if the amount heading names it.'],
  ['text', 'Free text', 'The payer’s message, searched for references.'],
]

const moreFields: readonly (readonly [field: ColumnField, label: string, help: string])[] = [
  ['paidOut', 'Amount paid out', 'Only if money paid out has its own column.'],
  ['valueDate', 'Value date', ''],
  ['payerName', 'Payer’s name', ''],
  ['payerAccount', 'Payer’s account', ''],
]

const meanings: readonly (readonly [field: MeaningField, label: string, isTrue: string, isFalse: string])[] = [
  ['direction', 'Direction', 'Received', 'Paid out'],
  ['status', 'Booking status', 'Booked', 'Not booked'],
]

const NONE = 'none'

interface MapColumnsProps {
  fileName: string
  head: TableView
  draft: DraftMapping
  /** Why the console asks again about known columns; null for new ones. */
  why: string | null
  reading: boolean
  onMap: (mapping: ColumnMapping) => void
}

export function MapColumns({ fileName, head, draft: initial, why, reading, onMap }: MapColumnsProps) {
  const [draft, setDraft] = useState(initial)
  const [isChecked, setChecked] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  // The control with the focus may be gone.
  useEffect(() => heading.current?.focus(), [])
  const mark = draft.amount === null ? undefined : head.marks[draft.amount]
  const names = columnNames(head, draft.headings)
  const faults = isChecked ? faultsOf(draft, mark, head) : {}
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    const { amount } = draft
    if (amount === null || Object.keys(faultsOf(draft, mark, head)).length > 0) return
    onMap({ ...draft, amount, decimalMark: markToSend(draft, mark), dateOrder: draft.dateOrder ?? null })
  }
  const choose = (field: ColumnField, at: number | null) => setDraft({ ...draft, [field]: at, ...notChosenFor(field) })
  const columnOf = ([field, label, help]: (typeof fields)[number]) => (
    <ColumnChoice
      key={field}
      {...{ label, help, names }}
      chosen={draft[field] ?? null}
      isRequired={field === 'amount'}
      fault={faults[field] ?? null}
      onChoose={(at) => choose(field, at)}
    />
  )
  return (
    <form onSubmit={submit} method="post" className="border-t">
      <div className="px-3.5 pt-3.5">
        <h3 ref={heading} tabIndex={-1} className="font-semibold">
          Map the columns
        </h3>
        <p className="mt-0.5 break-words text-secondary-foreground text-sm">
          {why === null
            ? `Check each choice. It is saved for files of the same form as ${visibleText(fileName)}.`
            : visibleText(why)}
        </p>
      </div>
      <Sample head={head} names={names} headings={draft.headings} />
      <div className="grid gap-x-4 gap-y-2 px-3.5 sm:grid-cols-2 wide:grid-cols-3">{fields.map(columnOf)}</div>
      <details open={hasMore(initial) || isChecked} className="mx-3.5 mt-2 border-t pt-2">
        <summary className="cursor-pointer font-[550] text-sm">More columns</summary>
        <div className="mt-2 grid gap-x-4 gap-y-2 sm:grid-cols-2 wide:grid-cols-3">
          {moreFields.map(columnOf)}
          {meanings.map((meaning) => (
            <MeaningChoice
              key={meaning[0]}
              {...{ meaning, head, names, draft }}
              fault={faults[meaning[0]] ?? null}
              onChoose={(chosen) => setDraft({ ...draft, [meaning[0]]: chosen })}
            />
          ))}
          <TextField
            label="Currency of all amounts"
            initial={initial.currencyCode ?? ''}
            maxLength={3}
            help="Three letters, if the table names none."
            fault={faults.currencyCode ?? null}
            onText={(text) => setDraft({ ...draft, currencyCode: text === '' ? null : text.toUpperCase() })}
          />
        </div>
      </details>
      <div className="grid gap-x-4 px-3.5 py-3 sm:grid-cols-2">
        <Choice
          legend="The first line has"
          name="headings"
          value={draft.headings ? 'headings' : 'payment'}
          options={[
            ['headings', 'headings'],
            ['payment', 'a payment'],
          ]}
          onChoose={(value) => setDraft({ ...draft, headings: value === 'headings' })}
        />
        <DecimalMark
          mark={mark}
          chosen={draft.decimalMark}
          fault={faults.decimalMark ?? null}
          onChoose={(decimalMark) => setDraft({ ...draft, decimalMark })}
        />
        <DateOrderChoice
          dates={datesToChoose(draft, head)}
          chosen={draft.dateOrder ?? null}
          fault={faults.dateOrder ?? null}
          onChoose={(dateOrder) => setDraft({ ...draft, dateOrder })}
        />
      </div>
      <CardFooter className="justify-end">
        <Button type="submit" aria-disabled={reading} className="max-w-full">
          {reading ? 'Reading the file' : 'Read the amounts'}
        </Button>
      </CardFooter>
    </form>
  )
}

/** What was chosen for another column before. */
function notChosenFor(field: ColumnField): Partial<DraftMapping> {
  if (field === 'amount') return { decimalMark: null }
  return field === 'bookedOn' || field === 'valueDate' ? { dateOrder: null } : {}
}

/** Whether the guess or the remembered mapping has a column that is rarely needed. */
const hasMore = (draft: DraftMapping): boolean =>
  [draft.direction, draft.status, draft.currencyCode].some((one) => one !== null && one !== undefined) ||
  moreFields.some(([field]) => typeof draft[field] === 'number')

type Faults = Partial<Record<ColumnField | MeaningField | 'decimalMark' | 'currencyCode' | 'dateOrder', string>>

function faultsOf(draft: DraftMapping, mark: Mark | undefined, head: TableView): Faults {
  const faults: Faults = {}
  for (const [field] of meanings) {
    const { column = null, values = {} } = draft[field] ?? {}
    const texts = column === null ? [] : (head.values[column] ?? [])
    if (texts.some((text) => values[text] === undefined)) faults[field] = 'Choose what each text means.'
  }
  if (draft.currencyCode && !/^[A-Z]{3}$/.test(draft.currencyCode)) faults.currencyCode = 'Three letters, such as BZD.'
  if (draft.reference === null && draft.text === null) {
    faults.reference = 'Choose the reference column, or a free text column.'
  }
  if (draft.amount === null) faults.amount = 'Choose the amount column.'
  else if (mark?.verdict === 'no-amounts') faults.amount = 'This column has no amounts. Choose another.'
  if (mark?.verdict === 'mixed') faults.decimalMark = 'Export the file again with one decimal separator in all amounts.'
  if (mark?.verdict === 'undecided' && draft.decimalMark === null) faults.decimalMark = 'Choose the decimal separator.'
  if (datesToChoose(draft, head) !== null && !draft.dateOrder) faults.dateOrder = 'Choose the order of day and month.'
  return faults
}

/** Adds the position where a heading is empty or not unique. */
const columnNames = ({ columns, sample }: TableView, headings: boolean): readonly string[] =>
  columns.map((first, at) => {
    const place = `Column ${at + 1}`
    if (!headings) return first === '' ? place : `${place}: ${visibleText(first)}`
    if (first === '') return `${place}: ${visibleText(sample[0]?.[at] ?? '')}`
    const isAlone = columns.filter((other) => other === first).length === 1
    return isAlone ? visibleText(first) : `${visibleText(first)} (column ${at + 1})`
  })

interface SampleProps {
  head: TableView
  names: readonly string[]
  headings: boolean
}

/** A spreadsheet formula in a cell is shown as plain text. */
function Sample({ head: { columns, sample }, names, headings }: SampleProps) {
  const rows = headings ? sample : [columns, ...sample]
  const titles = headings ? names : columns.map((_unused, at) => `Column ${at + 1}`)
  return (
    <PlainTable
      label="First rows of the file"
      columns={titles.map((title) => ({
        title,
        head: 'max-w-60 truncate bg-muted',
        cell: 'h-7 max-w-60 truncate text-xs',
      }))}
      rows={rows.map((row) => row.map(visibleText))}
      className="m-3.5 overflow-x-auto rounded-md border"
      tableClass="whitespace-nowrap"
    />
  )
}

interface MeaningChoiceProps {
  meaning: (typeof meanings)[number]
  head: TableView
  names: readonly string[]
  draft: DraftMapping
  fault: string | null
  onChoose: (chosen: DraftMapping['direction']) => void
}

function MeaningChoice({ meaning, head, names, draft, fault, onChoose }: MeaningChoiceProps) {
  const [field, label, isTrue, isFalse] = meaning
  const { column = null, values = {} } = draft[field] ?? {}
  const texts = column === null ? [] : (head.values[column] ?? [])
  return (
    <div className="grid content-start gap-2">
      <ColumnChoice
        label={label}
        help={`Only if a column says ${isTrue.toLowerCase()} or ${isFalse.toLowerCase()}.`}
        names={names}
        isOffered={(at) => (head.values[at] ?? []).length > 0}
        chosen={column}
        isRequired={false}
        fault={fault}
        onChoose={(at) => onChoose(at === null ? null : { column: at, values: {} })}
      />
      {texts.map((text) => (
        <Choice
          key={text}
          legend={text === '' ? 'An empty cell is' : `“${visibleText(text)}” is`}
          name={`${field} ${text}`}
          value={values[text] === undefined ? null : String(values[text])}
          options={[
            ['true', isTrue],
            ['false', isFalse],
          ]}
          onChoose={(value) => onChoose({ column: column ?? 0, values: { ...values, [text]: value === 'true' } })}
        />
      ))}
    </div>
  )
}

interface ColumnChoiceProps {
  label: string
  help: string
  names: readonly string[]
  chosen: number | null
  isRequired: boolean
  isOffered?: (at: number) => boolean
  fault: string | null
  onChoose: (at: number | null) => void
}

function ColumnChoice({ label, help, names, chosen, isRequired, isOffered, fault, onChoose }: ColumnChoiceProps) {
  const id = useId()
  const unset = isRequired ? '' : NONE
  return (
    <Field>
      <FieldLabel htmlFor={id}>{label}</FieldLabel>
      <Select
        value={chosen === null ? unset : String(chosen)}
        onValueChange={(given) => onChoose(given === NONE ? null : Number(given))}
      >
        <SelectTrigger id={id} aria-describedby={`${id}-note`} aria-invalid={fault !== null} className="w-full min-w-0">
          <span className="truncate">
            <SelectValue placeholder="Choose a column" />
          </span>
        </SelectTrigger>
        <SelectContent>
          {isRequired ? null : <SelectItem value={NONE}>None</SelectItem>}
          {names.map((name, at) =>
            isOffered?.(at) === false ? null : (
              // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have one heading.
              <SelectItem key={at} value={String(at)}>
                {name}
              </SelectItem>
            ),
          )}
        </SelectContent>
      </Select>
      <FieldNote id={`${id}-note`} help={help} fault={fault} />
    </Field>
  )
}
