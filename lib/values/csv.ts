import { Money } from './money.ts'

/** Marks the file as UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF'

/** RFC 4180. */
const LINE_END = '\r\n'

/** Spreadsheets evaluate such cells, even after a tab, line end or invisible character; full-width signs count too. */
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/u

/** Some spreadsheets also split at `;` and tabs. */
const QUOTED = /[",;\t\r\n]|^\s|\s$/

/** An apostrophe keeps a spreadsheet from evaluating the text. */
const defused = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)

const quoted = (text: string): string => (QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** One line; amounts have eight places. */
export const csvLine = (cells: readonly (string | Money)[]): string =>
  cells.map((cell) => (cell instanceof Money ? cell.toExact() : quoted(defused(cell)))).join(',') + LINE_END
