import 'server-only'
import type { Cell } from './amount-text.ts'
import type { Row } from './csv.ts'
import { type DateOrder, judgeDates } from './date-text.ts'
import { isDate, isTotalLabel } from './headings.ts'
import type { ColumnMapping, EntryRead, FileFault } from './statement.ts'
import { cellsOf, hasAmount, quoted } from './table.ts'

export const isBlank = (cell: string): boolean => !/[\p{L}\p{N}]/u.test(cell)

/** `order`: null if dates are kept as written. */
interface DatesRead {
  readonly order: DateOrder | null
  readonly remarks: readonly EntryRead[]
}

export function dateOrderIn(body: readonly Row[], mapping: ColumnMapping): DatesRead | { readonly fault: FileFault } {
  const judged = [mapping.bookedOn, mapping.valueDate ?? null].flatMap((at) =>
    at === null ? [] : [judgeDates(cellsOf(body.filter(hasAmount), at))],
  )
  const decided = judged.find(({ verdict }) => verdict === 'dmy' || verdict === 'mdy')?.verdict
  if (judged.every(({ verdict }) => verdict === 'certain')) return { order: 'dmy', remarks: [] }
  const swapped = judged.find(({ verdict }) => verdict === 'swapped')?.examples[0]
  if (swapped !== undefined) {
    const what = `${quoted(swapped.text)} is a text among dates that a spreadsheet may have changed, with day and month swapped. Export the file again and do not open it in a spreadsheet.`
    return { fault: { place: swapped.place, what } }
  }
  const mixed = judged.find(({ verdict }) => verdict === 'mixed')
  const why = mixed?.examples.length === 1 ? 'an unknown order' : 'two formats'
  if (mixed !== undefined) return { order: null, remarks: keptAsWritten(mixed.examples, why) }
  if (decided === 'dmy' || decided === 'mdy') return { order: decided, remarks: [] }
  if (mapping.dateOrder === 'dmy' || mapping.dateOrder === 'mdy') return { order: mapping.dateOrder, remarks: [] }
  const examples = judged.find(({ verdict }) => verdict === 'undecided')?.examples ?? []
  if (mapping.dateOrder === undefined) return { order: null, remarks: keptAsWritten(examples, 'an unknown order') }
  const [{ place, text } = { place: null, text: '' }] = examples
  const what = `${quoted(text)} is ambiguous, and so are all dates in its column. Choose the order of day and month.`
  return { fault: { place, what } }
}

function keptAsWritten(examples: readonly Cell[], why: string): readonly EntryRead[] {
  const [{ place, text } = { place: null, text: '' }] = examples
  const what = `Dates have ${why} of day and month, such as ${quoted(text)}. They are not converted.`
  return [{ remark: { place, what } }]
}

/** The columns in which a payment has a date. */
export function dateColumnsIn(body: readonly Row[], mapping: ColumnMapping): readonly number[] {
  const entries = body.filter(({ cells }) => !isBlank(cells[mapping.amount] ?? ''))
  const filled = (at: number) => entries.map(({ cells }) => cells[at] ?? '').filter((cell) => !isBlank(cell))
  if (mapping.bookedOn !== null) return filled(mapping.bookedOn).length > 0 ? [mapping.bookedOn] : []
  const width = body[0]?.cells.length ?? 0
  return Array.from({ length: width }, (_unused, at) => at).filter((at) => {
    const cells = at === mapping.amount ? [] : filled(at).filter((cell) => !isTotalLabel(cell))
    return cells.length > 0 && cells.every(isDate)
  })
}
