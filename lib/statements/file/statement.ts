import 'server-only'

/** More is not one day of one bank account. */
export const FILE_MAX_BYTES = 5 * 1024 * 1024
export const LINES_MAX = 10_000
/** Of a table, and of one of its cells, or of any text of a line. */
export const COLUMNS_MAX = 200
const TEXT_MAX_CHARS = 4_000
/** Longer than any fault has to be told. */
const FAULT_MAX_CHARS = 300
/** Faults after this many say nothing new. */
export const FAULTS_MAX = 20

export type StatementFormat = 'csv' | 'camt.053' | 'mt940'

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

export type ParsedStatement =
  | {
      readonly ok: true
      readonly format: StatementFormat
      readonly lines: readonly StatementLine[]
      /** Entries that are no money received: debits, reversals, and what is not booked yet. */
      readonly leftOut: number
    }
  | { readonly ok: false; readonly faults: readonly FileFault[] }

export const broken = (...faults: readonly FileFault[]): ParsedStatement => ({
  ok: false,
  // A parser may quote the whole file.
  faults: faults.slice(0, FAULTS_MAX).map(({ place, what }) => ({ place, what: what.slice(0, FAULT_MAX_CHARS) })),
})

/** A statement whose lines are all right; nothing of one that has too many is taken. */
export function whole(format: StatementFormat, lines: readonly StatementLine[], leftOut: number): ParsedStatement {
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
