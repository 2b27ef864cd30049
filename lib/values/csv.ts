import type { Problem } from '#lib/contract/problem.ts'
import { Money } from './money.ts'

export const BYTE_ORDER_MARK = '\uFEFF'

/** RFC 4180. */
const LINE_END = '\r\n'

/** Spreadsheets evaluate such cells, even after white space or invisible characters. */
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/u

/** Where a spreadsheet that splits at `;` or tabs would begin such a cell. Quotes inside a field do not prevent it. */
const FORMULA_INSIDE = /(?<=[;\t\r\n])(?=[[\s"\p{Cc}\p{Cf}]--[\t\r\n]]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/gv

/** Some spreadsheets split at `;` and tabs. */
const QUOTED = /[",;\t\r\n]|^\s|\s$/

/** The apostrophe prevents evaluation. */
const defused = (text: string): string => `${FORMULA.test(text) ? "'" : ''}${text.replaceAll(FORMULA_INSIDE, "'")}`

const quoted = (text: string): string => (QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

export const csvLine = (cells: readonly (string | Money)[]): string =>
  cells.map((cell) => (cell instanceof Money ? cell.toExact() : quoted(defused(cell)))).join(',') + LINE_END

/** The browser creates the file only after `end`, so a truncated export cannot look complete. */
export type ExportFrame =
  | {
      readonly kind: 'start'
      readonly fileName: string
      readonly text: string
    }
  | {
      readonly kind: 'rows'
      readonly text: string
      readonly rows: number
      readonly total: number
      /** Rows read before filtering. */
      readonly read?: number
    }
  | {
      readonly kind: 'end'
      readonly text: string
      readonly rows: number
      /** Placeholders for rows that could not be read. */
      readonly unreadable: number
      readonly cut: boolean
    }
  | { readonly kind: 'problem'; readonly problem: Problem }

export interface FileWriter<Row> {
  readonly begin: string
  /** `first`: nothing was written before these rows. */
  rows(rows: readonly Row[], first: boolean): string
  readonly end: string
}

export type Cells = readonly (string | Money)[]

export const csvWriter = <Row>(headings: readonly string[], cellsOf: (row: Row) => Cells): FileWriter<Row> => ({
  begin: BYTE_ORDER_MARK + csvLine(headings),
  rows: (rows) => rows.map((row) => csvLine(cellsOf(row))).join(''),
  end: '',
})

export const amountCell = (amount: string | null): string | Money =>
  (amount === null ? null : Money.fromWire(amount)) ?? ''
