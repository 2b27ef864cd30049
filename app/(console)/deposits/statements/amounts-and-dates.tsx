import { useId } from 'react'
import { Choice } from '#components/form/choice.tsx'
import { FieldNote } from '#components/form/text-field.tsx'
import { FieldError } from '#components/ui/field.tsx'
import type { ColumnMapping, DraftMapping, TableView } from '#lib/statements/file/statement.ts'
import { shownAmount } from '#lib/values/amount-text.ts'
import { visibleText } from '#lib/values/text.ts'
import { formatCount } from '#lib/values/words.ts'

export type Mark = TableView['marks'][number]
/** The mark that the column's cells prove, otherwise the operator's choice; null when no amount depends on it. */
export function markToSend({ decimalMark }: DraftMapping, mark: Mark | undefined): ColumnMapping['decimalMark'] {
  if (mark?.verdict === 'point' || mark?.verdict === 'comma') return mark.verdict
  return mark?.verdict === 'undecided' ? decimalMark : null
}

interface DecimalMarkProps {
  mark: Mark | undefined
  chosen: DraftMapping['decimalMark']
  fault: string | null
  onChoose: (mark: 'point' | 'comma') => void
}

/** Asks for the decimal mark only if no cell proves it. */
export function DecimalMark({ mark, chosen, fault, onChoose }: DecimalMarkProps) {
  const noteId = useId()
  const [example, other] = mark?.examples ?? []
  if (mark?.verdict === 'undecided' && example !== undefined) {
    const { point, comma } = example.readings
    return (
      <div aria-describedby={noteId}>
        <Choice
          legend={`“${visibleText(example.text)}” on line ${formatCount(example.place)} is`}
          name="decimalMark"
          value={chosen}
          options={[
            ['point', `${shownAmount(point ?? '')} (decimal point)`],
            ['comma', `${shownAmount(comma ?? '')} (decimal comma)`],
          ]}
          onChoose={onChoose}
        />
        <FieldNote id={noteId} help="Every amount in this column is ambiguous." fault={fault} />
      </div>
    )
  }
  return (
    <div className="mb-3 text-sm">
      <p className="mb-1 text-muted-foreground text-xs">Decimal separator</p>
      <p className="break-words text-secondary-foreground">{markWords(mark)}</p>
      {mark?.verdict === 'mixed' && example !== undefined && other !== undefined ? (
        <FieldError>
          “{visibleText(example.text)}” on line {formatCount(example.place)} has a decimal point, “
          {visibleText(other.text)}” on line {formatCount(other.place)} a decimal comma. Export the file again with one
          of them.
        </FieldError>
      ) : null}
    </div>
  )
}

function markWords(mark: Mark | undefined): string {
  const [example] = mark?.examples ?? []
  switch (mark?.verdict) {
    case 'point':
    case 'comma':
      return `A ${mark.verdict}${example === undefined ? '' : `, as in “${visibleText(example.text)}” on line ${formatCount(example.place)}`}.`
    case 'whole':
      return 'None: all amounts are whole numbers.'
    case 'mixed':
      return 'Amounts use two decimal separators.'
    case 'no-amounts':
      return 'The chosen column has no amounts.'
    default:
      return 'Choose the amount column first.'
  }
}

type Dates = TableView['dates'][number]

/** Null if the columns of dates decide the order of day and month. */
export function datesToChoose({ bookedOn, valueDate }: DraftMapping, { dates }: TableView): Dates | null {
  const judged = [bookedOn, valueDate ?? null].flatMap((at) => (at === null ? [] : (dates[at] ?? [])))
  if (judged.some(({ verdict }) => verdict === 'dmy' || verdict === 'mdy' || verdict === 'mixed')) return null
  return judged.find(({ verdict }) => verdict === 'undecided') ?? null
}

interface DateOrderProps {
  dates: Dates | null
  chosen: 'dmy' | 'mdy' | null
  fault: string | null
  onChoose: (order: 'dmy' | 'mdy') => void
}

/** Asks for the order of day and month only if no date shows it. */
export function DateOrderChoice({ dates, chosen, fault, onChoose }: DateOrderProps) {
  const noteId = useId()
  const [example] = dates?.examples ?? []
  if (example === undefined) return null
  const { dmy, mdy } = example.readings
  return (
    <div aria-describedby={noteId}>
      <Choice
        legend={`“${visibleText(example.text)}” on line ${formatCount(example.place)} is`}
        name="dateOrder"
        value={chosen}
        options={[
          ['dmy', `${dmy} (day first)`],
          ['mdy', `${mdy} (month first)`],
        ]}
        onChoose={onChoose}
      />
      <FieldNote id={noteId} help="Every date in this column is ambiguous." fault={fault} />
    </div>
  )
}
