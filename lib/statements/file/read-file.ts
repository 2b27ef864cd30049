import 'server-only'
import { createHash } from 'node:crypto'
import { FILE_MAX_BYTES, notAStatement, utf16Of } from '#lib/statements/not-a-statement.ts'
import { moneyOf, plus, ZERO } from './amount-text.ts'
import type { PackedFile } from './archive.ts'
import { parseCamt } from './camt.ts'
import { type Row, rowsOf, separatorOf } from './csv.ts'
import { withoutProlog } from './element.ts'
import { parseMt940 } from './mt940.ts'
import { parseOfx } from './ofx.ts'
import { otherAccountsIn, rowsOfQif } from './qif.ts'
import { markReturned } from './returned.ts'
import {
  broken,
  type FileFault,
  type ParsedStatement,
  type PaymentLine,
  type ReadFile,
  type ReadSummary,
  type StatementLine,
} from './statement.ts'
import { type AnyMapping, positionsOf, readTable, type TableFormat, viewOf } from './table.ts'
import { guessMapping } from './table-draft.ts'
import { readLines } from './table-lines.ts'

/** PostgreSQL text cannot hold NUL. */
const NUL = '\u0000'
const SAMPLE_LINES = 10

export function syntaxOf(text: string): 'xml' | 'mt940' | 'ofx' | 'qif' | 'csv' {
  if (/^((<!--\s*)?OFXHEADER\s*:|<\?OFX\b|<OFX[\s>])/i.test(withoutProlog(text))) return 'ofx'
  const start = text.replace(/^\ufeff/, '').trimStart()
  if (/^!(Type:|Account\b|Option:|Clear:)/i.test(start)) return 'qif'
  if (start.startsWith('<')) return 'xml'
  return /^[ \t]*(\{1:|:(20|25P?|28C?|60[FM]|61|62[FM]|64|65|86):)/m.test(start.slice(0, 2000)) ? 'mt940' : 'csv'
}

const DECLARED = /^<\?xml[^>]*\sencoding\s*=\s*["'](iso-8859-([1-9]|1[01345])|windows-125[0-8])["']/i

/** Polish letters that Windows-1252 has as signs, which no word has inside. */
const POLISH = /(?<=\p{L})[¹³±¶£¯](?=\p{L})/gu

/** Undefined unless certain. */
function polishEncoding(text: string): string | undefined {
  const found = (text.match(POLISH) ?? []).join('')
  if (found.length < 2 || /[£¥]\s?\d/.test(text)) return undefined
  return /[±¶]/.test(found) && !found.includes('¹') ? 'iso-8859-2' : 'windows-1250'
}

export function textOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  const wide = utf16Of(bytes)
  if (wide !== null) return new TextDecoder(wide).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // Older banking software writes Latin-1, a subset of Windows-1252.
    const text = new TextDecoder('windows-1252').decode(bytes)
    const declared = DECLARED.exec(text)?.[1] ?? polishEncoding(text)
    return declared === undefined ? text : new TextDecoder(declared).decode(bytes)
  }
}

/** One fault refuses the file. A table needs a mapping, by position or (older ones) by heading. */
export function readFile(bytes: Uint8Array, mapping: AnyMapping | null): ReadFile {
  const what = notAStatement(bytes)
  if (what !== null) return refused([{ place: null, what }])
  if (bytes.length > FILE_MAX_BYTES) return refused([{ place: null, what: 'The file is larger than 5 MB. Split it.' }])
  return readTexts([textOf(bytes)], mapping)
}

const isZip = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 0x03 || bytes[2] === 0x05)

/** Loaded only for an archive, because each file is read in a thread of its own. */
const archives = () => import('./archive.ts')

/** As {@link readFile}, but also reads ZIP archives and Excel workbooks. */
export async function readPackedFile(bytes: Uint8Array, mapping: AnyMapping | null): Promise<ReadFile> {
  if (bytes.length > FILE_MAX_BYTES || notAStatement(bytes) !== null) return readFile(bytes, mapping)
  return await readUnpacked(bytes, mapping, false)
}

/** `isInner`: the file is in an archive. An archive in an archive is not unpacked. */
async function readUnpacked(bytes: Uint8Array, mapping: AnyMapping | null, isInner: boolean): Promise<ReadFile> {
  if (!isZip(bytes)) return readFile(bytes, mapping)
  const { isWorkbook, otherSheetsOf, rowsOfWorkbook, unpack } = await archives()
  const files = await unpack(bytes)
  const refusedFor = (what: string) => refused([{ place: null, what }])
  if (typeof files !== 'string' && isWorkbook(files)) {
    return withRemark(readRows(await rowsOfWorkbook(files), 'xlsx', mapping), otherSheetsOf(files))
  }
  if (isInner) return refusedFor('The archive has another archive in it. Unpack it and import its files.')
  if (typeof files === 'string') return refusedFor(files)
  const statements = files.filter((file) => notAStatement(file.bytes) === null)
  const [only, ...others] = statements
  if (only === undefined) return refusedFor('The archive has no bank statement.')
  const read = others.length === 0 ? await readUnpacked(only.bytes, mapping, true) : readSeveral(statements)
  return withRemark(read, archiveWords(statements, files.length))
}

function readSeveral(files: readonly PackedFile[]): ReadFile {
  const texts = files.map(({ bytes }) => textOf(bytes))
  const [syntax, ...others] = new Set(texts.map(syntaxOf))
  const isJoinable =
    others.length === 0 && (syntax === 'xml' || syntax === 'mt940') && !files.some((file) => isZip(file.bytes))
  if (isJoinable) return readTexts(texts, null)
  const what = 'The archive has several files that are not all camt or all MT940. Unpack it and import them one by one.'
  return refused([{ place: null, what }])
}

function archiveWords(read: readonly PackedFile[], count: number): string {
  const [first, ...others] = read.map(({ name }) => name)
  const other = count - read.length
  const skipped =
    other === 0 ? '' : ` Skipped ${other === 1 ? 'a file that is' : `${other} files that are`} not a statement.`
  return others.length === 0
    ? `Read ${first} from the archive.${skipped}`
    : `Read ${read.length} files from the archive as one statement: ${first} to ${others.at(-1)}.${skipped}`
}

function withRemark(read: ReadFile, what: string): ReadFile {
  if (read.kind !== 'whole' || what === '') return read
  const remarks = [{ place: null, what }, ...read.summary.remarks]
  return { ...read, summary: { ...read.summary, remarks } }
}

/** Several texts are camt or MT940. */
function readTexts(texts: readonly string[], mapping: AnyMapping | null): ReadFile {
  const [text = ''] = texts
  switch (syntaxOf(text)) {
    case 'xml':
      return resultOf(parseCamt(texts))
    case 'mt940':
      return resultOf(parseMt940(texts.join('\n')))
    case 'ofx':
      return resultOf(parseOfx(withoutProlog(text)))
    case 'qif':
      return withRemark(readQif(text, mapping), otherAccountsIn(text))
    case 'csv':
      return readRows(rowsOf(text), 'csv', mapping, separatorOf(text))
  }
}

const refused = (faults: readonly FileFault[]): ReadFile => ({ kind: 'broken', faults, head: null })

/** Needs no mapping unless all amounts are ambiguous, such as `1,080`. */
function readQif(text: string, mapping: AnyMapping | null): ReadFile {
  const rows = rowsOfQif(text)
  const read = readRows(rows, 'qif', mapping)
  if (read.kind !== 'columns') return read
  const { amount, decimalMark } = read.draft
  const isDecided = amount !== null && (decimalMark !== null || read.head.marks[amount]?.verdict === 'whole')
  return isDecided ? readRows(rows, 'qif', { ...read.draft, amount, dateOrder: undefined }) : read
}

function readRows(
  rows: readonly Row[] | ParsedStatement,
  format: TableFormat,
  mapping: AnyMapping | null,
  separator = '',
): ReadFile {
  if ('ok' in rows) return resultOf(rows)
  const table = readTable(rows)
  if ('ok' in table) return resultOf(table)
  const head = viewOf(table, separator)
  if (mapping === null) return { kind: 'columns', format, head, draft: guessMapping(head, table) }
  const positions = 'headings' in mapping ? mapping : positionsOf(head, mapping)
  const parsed = 'headings' in positions ? readLines(table, positions, { format, separator }) : broken(...positions)
  return { ...resultOf(parsed), head }
}

function resultOf(parsed: ParsedStatement): ReadFile {
  if (!parsed.ok) return refused(parsed.faults)
  const nul = 'This line has a NUL character.'
  const faults = parsed.lines.filter(hasNul).map(({ place }) => ({ place, what: nul }))
  if (faults.length > 0) return resultOf(broken(...faults))
  const { format, leftOut, accounts } = parsed
  const { lines, returns, debits } = markReturned(parsed.lines, parsed.debits)
  const returned = lines.flatMap(({ place, returned: what }) => (what === '' ? [] : [{ place, what }]))
  const count = Object.values(leftOut.counts).reduce((sum, one) => sum + one, 0)
  const summary = { ...leftOut, remarks: [...leftOut.remarks, ...returned], ...summaryOf(lines) }
  const linesDigest = createHash('sha256').update(JSON.stringify(lines)).digest('hex')
  return { kind: 'whole', format, lines, linesDigest, leftOut: count, accounts, returns, debits, summary, head: null }
}

const hasNul = (line: PaymentLine): boolean => Object.values(line).some((value) => String(value).includes(NUL))

function summaryOf(lines: readonly StatementLine[]): Pick<ReadSummary, 'totals' | 'first'> {
  const totals = new Map<string, { count: number; sum: typeof ZERO; largest: typeof ZERO }>()
  for (const { currency, amount } of lines) {
    const money = moneyOf(amount)
    const total = totals.get(currency) ?? { count: 0, sum: ZERO, largest: ZERO }
    const largest = money.isMoreThan(total.largest) ? money : total.largest
    totals.set(currency, { count: total.count + 1, sum: plus(total.sum, money), largest })
  }
  return {
    first: lines.slice(0, SAMPLE_LINES),
    totals: [...totals].map(([currency, { count, sum, largest }]) => ({
      currency,
      count,
      sum: sum.toExact(),
      largest: largest.toExact(),
    })),
  }
}
