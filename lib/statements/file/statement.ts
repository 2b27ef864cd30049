import 'server-only'
import type { ColumnMark, DecimalMark } from './amount-text.ts'

/** More is not one day of one bank account. */
export const FILE_MAX_BYTES = 5 * 1024 * 1024
export const LINES_MAX = 10_000
/** Of a table, and of one of its cells, or of any text of a line. */
export const COLUMNS_MAX = 200
const TEXT_MAX_CHARS = 4_000
/** Longer than any fault has to be told. */
const FAULT_MAX_CHARS = 300
/** Faults after this many say nothing new. */
const FAULTS_MAX = 20

export type StatementFormat = 'csv' | 'camt.053' | 'mt940'

/** The columns of a table by their positions, from 0. */
export interface ColumnMapping {
  /** Whether the first row holds headings. Otherwise it is a payment. */
  readonly headings: boolean
  readonly reference: number | null
  readonly amount: number
  readonly bankReference: number | null
  readonly bookedOn: number | null
  readonly currency: number | null
  readonly text: number | null
  /** Null when no amount of the column depends on it. */
  readonly decimalMark: DecimalMark | null
}

export type ColumnField = Exclude<keyof ColumnMapping, 'headings' | 'decimalMark'>

export type DraftMapping = Omit<ColumnMapping, 'amount'> & { readonly amount: number | null }

export interface TableView {
  readonly headings: boolean
  /** The cells of the first row. */
  readonly columns: readonly string[]
  /** The first rows after it. */
  readonly sample: readonly (readonly string[])[]
  /** How each column writes amounts, over all rows. */
  readonly marks: readonly ColumnMark[]
}

/** Money that a bank says it received, as its statement has it: texts, nothing read into them. */
export interface StatementLine {
  /** Where it stands: the line of a text file, or the entry of an XML one, from 1. */
  readonly place: number
  /** Whole, from the field that carries it; empty when that field is. */
  readonly reference: string
  /** Decimal text with a point, without grouping. */
  readonly amount: string
  /** ISO 4217 where the statement names one; else empty. */
  readonly currency: string
  /** The bank's own name for the payment; empty when it gives none. */
  readonly bankReference: string
  /** As the statement writes it; empty when it gives none. */
  readonly bookedOn: string
  /** What the payer wrote. */
  readonly text: string
}

export interface FileFault {
  /** Null when it is about the whole file. */
  readonly place: number | null
  readonly what: string
}

export type LeftOutReason = 'paid-out' | 'no-amount' | 'reversal' | 'not-booked' | 'total'

export interface LeftOut {
  readonly counts: Readonly<Partial<Record<LeftOutReason, number>>>
  /** Shown before the import: totals that are left out, payments of a batch that are missing. */
  readonly remarks: readonly FileFault[]
}

export interface ReadSummary extends LeftOut {
  /** One per currency, amounts as decimal text. */
  readonly totals: readonly {
    readonly currency: string
    readonly count: number
    readonly sum: string
    readonly largest: string
  }[]
  readonly first: readonly StatementLine[]
}

/** `head` is set for a table, so that its columns can be mapped. */
export type ReadFile =
  /** `draft`: the mapping that the headings suggest. */
  | { readonly kind: 'columns'; readonly head: TableView; readonly draft: DraftMapping }
  | { readonly kind: 'broken'; readonly faults: readonly FileFault[]; readonly head: TableView | null }
  | {
      readonly kind: 'whole'
      readonly format: StatementFormat
      readonly lines: readonly StatementLine[]
      /** How many entries are no money received. */
      readonly leftOut: number
      readonly summary: ReadSummary
      readonly head: TableView | null
    }

export type ParsedStatement =
  | {
      readonly ok: true
      readonly format: StatementFormat
      readonly lines: readonly StatementLine[]
      readonly leftOut: LeftOut
    }
  | { readonly ok: false; readonly faults: readonly FileFault[] }

export type EntryRead =
  | { readonly line: StatementLine }
  | { readonly leftOut: LeftOutReason }
  | { readonly fault: FileFault }
  | { readonly remark: FileFault }

export function statementOf(format: StatementFormat, entries: readonly EntryRead[]): ParsedStatement {
  const faults = entries.flatMap((entry) => ('fault' in entry ? [entry.fault] : []))
  if (faults.length > 0) return broken(...faults)
  const counts: Partial<Record<LeftOutReason, number>> = {}
  for (const entry of entries) {
    if ('leftOut' in entry) counts[entry.leftOut] = (counts[entry.leftOut] ?? 0) + 1
  }
  const lines = entries.flatMap((entry) => ('line' in entry ? [entry.line] : []))
  const remarks = entries.flatMap((entry) => ('remark' in entry ? [entry.remark] : []))
  return whole(format, lines, { counts, remarks: shortened(remarks) })
}

/** A parser may quote the whole file. */
const shortened = (faults: readonly FileFault[]): readonly FileFault[] =>
  faults.slice(0, FAULTS_MAX).map(({ place, what }) => ({ place, what: what.slice(0, FAULT_MAX_CHARS) }))

export const broken = (...faults: readonly FileFault[]): ParsedStatement => ({ ok: false, faults: shortened(faults) })

function whole(format: StatementFormat, lines: readonly StatementLine[], leftOut: LeftOut): ParsedStatement {
  if (lines.length > LINES_MAX) {
    const count = lines.length.toLocaleString('en-US')
    return broken({
      place: null,
      what: `The statement has ${count} lines; at most ${LINES_MAX.toLocaleString('en-US')} are imported. Split it.`,
    })
  }
  const long = lines.filter((line) => Object.values(line).some((text) => String(text).length > TEXT_MAX_CHARS))
  if (long.length > 0) {
    const what = `A text of this line has more than ${TEXT_MAX_CHARS.toLocaleString('en-US')} characters. Take it out.`
    return broken(...long.slice(0, FAULTS_MAX).map(({ place }) => ({ place, what })))
  }
  if (lines.length === 0) return broken({ place: null, what: 'The statement shows no money received.' })
  return { ok: true, format, lines, leftOut }
}
