import { Money } from './money.ts'

/** Tells programs that open the file that it is UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF'

/** RFC 4180. */
const LINE_END = '\r\n'

/**
 * Spreadsheets run a cell that begins with one of these, full-width ones included; a tab or a line end in front, or
 * characters that cannot be seen, do not stop them.
 */
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/u

/** What must stand in quotes: separators (some spreadsheets split at `;` and tabs), line ends, and outer space. */
const QUOTED = /[",;\t\r\n]|^\s|\s$/

/** Text as text: whatever a spreadsheet might take for a formula gets an apostrophe in front. */
const defused = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)

const quoted = (text: string): string => (QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** One line of a CSV file. Text is defused and quoted; an amount is plain decimal text with eight places. */
export const csvLine = (cells: readonly (string | Money)[]): string =>
  cells.map((cell) => (cell instanceof Money ? cell.toExact() : quoted(defused(cell)))).join(',') + LINE_END
