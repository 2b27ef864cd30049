import 'server-only'
import { notAStatement } from '#lib/statements/not-a-statement.ts'
import { type ColumnMapping, type CsvHead, readCsvHead } from './csv.ts'
import { formatOf, parseStatement } from './parse.ts'
import { FAULTS_MAX, FILE_MAX_BYTES, type FileFault, type StatementFormat, type StatementLine } from './statement.ts'
import { textOf } from './text-of.ts'

/** What a file came to. `head`: of a table, so that its columns can be mapped. */
export type ReadFile =
  /** A table, and nobody has said what its columns are. */
  | { readonly kind: 'columns'; readonly head: CsvHead }
  | { readonly kind: 'broken'; readonly faults: readonly FileFault[]; readonly head: CsvHead | null }
  | {
      readonly kind: 'whole'
      readonly format: StatementFormat
      readonly lines: readonly StatementLine[]
      readonly leftOut: number
      readonly head: CsvHead | null
    }

/** The one character that the store cannot hold. */
const NUL = '\u0000'

/** Reads a bank's file: whether it is one at all, its columns first where it is a table, then all of its lines or none. */
export function readFile(bytes: Uint8Array, mapping: ColumnMapping | null): ReadFile {
  const what = notAStatement(bytes)
  if (what !== null) return { kind: 'broken', faults: [{ place: null, what }], head: null }
  const head = bytes.length > FILE_MAX_BYTES ? null : headOf(textOf(bytes))
  if (head !== null && 'what' in head) return { kind: 'broken', faults: [head], head: null }
  if (head !== null && mapping === null) return { kind: 'columns', head }
  const parsed = parseStatement(bytes, mapping)
  if (!parsed.ok) return { kind: 'broken', faults: parsed.faults, head }
  const faults = parsed.lines.filter(hasNul).slice(0, FAULTS_MAX)
  const { format, lines, leftOut } = parsed
  if (faults.length === 0) return { kind: 'whole', format, lines, leftOut, head }
  const nul = 'There is a NUL character in this line, which no text has.'
  return { kind: 'broken', faults: faults.map(({ place }) => ({ place, what: nul })), head }
}

const hasNul = (line: StatementLine): boolean => Object.values(line).some((value) => String(value).includes(NUL))

/** The columns and first rows of a table; null for other formats. */
const headOf = (text: string): CsvHead | FileFault | null => (formatOf(text) === 'csv' ? readCsvHead(text) : null)
