import 'server-only'
import { parseCamt053 } from './camt053.ts'
import { type ColumnMapping, parseCsv } from './csv.ts'
import { parseMt940 } from './mt940.ts'
import { broken, FILE_MAX_BYTES, type ParsedStatement, type StatementFormat } from './statement.ts'
import { textOf } from './text-of.ts'

/** What a file is, by how its text begins: XML, the tags of SWIFT, or else a table. */
export function formatOf(text: string): StatementFormat {
  const start = text.replace(/^\ufeff/, '').trimStart()
  if (start.startsWith('<')) return 'camt.053'
  return /^(\{1:|:20:)/m.test(start.slice(0, 2000)) ? 'mt940' : 'csv'
}

/**
 * Reads a bank statement: up to 5 MB and 10,000 lines, all of it or nothing. A table takes a mapping of its columns.
 */
export function parseStatement(bytes: Uint8Array, mapping: ColumnMapping | null): ParsedStatement {
  if (bytes.length > FILE_MAX_BYTES) return broken({ place: null, what: 'The file is larger than 5 MB. Split it.' })
  const text = textOf(bytes)
  switch (formatOf(text)) {
    case 'camt.053':
      return parseCamt053(text)
    case 'mt940':
      return parseMt940(text)
    case 'csv':
      return mapping === null
        ? broken({ place: null, what: 'Map the columns of the table first.' })
        : parseCsv(text, mapping)
  }
}
