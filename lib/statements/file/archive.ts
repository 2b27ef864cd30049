import 'server-only'
import {
  configure,
  ERR_ENCRYPTED,
  type FileEntry,
  Uint8ArrayReader,
  Uint8ArrayWriter,
  ZipReader,
  ZipWriter,
} from '@zip.js/zip.js'
import { readSheet } from 'read-excel-file/universal'
import { FILE_MAX_BYTES } from '#lib/statements/not-a-statement.ts'
import { type Row, TOO_MANY, TOO_WIDE } from './csv.ts'
import { escaped } from './element.ts'
import { broken, COLUMNS_MAX, LINES_MAX, type ParsedStatement } from './statement.ts'
import { quoted } from './table.ts'

configure({ useWebWorkers: false })

const FILES_MAX = 200
const UNPACKED_MAX_BYTES = 8 * FILE_MAX_BYTES

export interface PackedFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** Checks sizes before and after unpacking, and checksums. Returns words if it cannot be unpacked. */
export async function unpack(bytes: Uint8Array): Promise<readonly PackedFile[] | string> {
  const reader = new ZipReader(new Uint8ArrayReader(bytes), { checkSignature: true })
  try {
    const all = await reader.getEntries()
    const entries = all.filter((entry): entry is FileEntry => !entry.directory && !isHidden(entry.filename))
    const size = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0)
    if (entries.length > FILES_MAX || size > UNPACKED_MAX_BYTES) {
      return `The archive has more than ${FILES_MAX} files or ${UNPACKED_MAX_BYTES / 1024 / 1024} MB. Import its files one by one.`
    }
    const files: PackedFile[] = []
    for (const entry of entries) {
      files.push({ name: entry.filename, bytes: await entry.getData(new Uint8ArrayWriter()) })
    }
    return files
  } catch (error) {
    const isEncrypted = error instanceof Error && error.message === ERR_ENCRYPTED
    return isEncrypted
      ? 'The archive is encrypted. Unpack it and import its files.'
      : 'The archive is damaged. Export it again.'
  } finally {
    await reader.close()
  }
}

/** Files of macOS and of editors. */
const isHidden = (name: string): boolean => name.split('/').some((part) => part.startsWith('.') || part === '__MACOSX')

const WORKBOOK = 'xl/workbook.xml'

export const isWorkbook = (files: readonly PackedFile[]): boolean => files.some(({ name }) => name === WORKBOOK)

const SHEET_NAME = /<(?:\w+:)?sheet\s[^>]*?\bname="([^"]*)"/g
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

export function otherSheetsOf(files: readonly PackedFile[]): string {
  const book = files.find(({ name }) => name === WORKBOOK)?.bytes
  const [first = '', ...others] = [...new TextDecoder().decode(book).matchAll(SHEET_NAME)].map(([, name = '']) => name)
  const name = first.replaceAll(/&(amp|lt|gt|quot|apos);/g, (entity, key: string) => ENTITIES[key] ?? entity)
  return others.length === 0 ? '' : `Only ${quoted(name)}, the first of ${others.length + 1} sheets, is imported.`
}

/** The library loses CDATA, and all text of a value before a comment. */
const CDATA_OR_COMMENT = /<!\[CDATA\[([\s\S]*?)\]\]>|<!--[\s\S]*?-->/g
const CELL = /<((?:\w+:)?c)(\s(?:[^<>"']|"[^"]*"|'[^']*')*?)(?:\/>|>([\s\S]*?)<\/\1\s*>)/g
const TYPE = /\st=["'](\w*)["']/
const STYLE = /\ss=["'](\d+)["']/
const FORMULA = /<(?:\w+:)?f[\s/>]/
const VALUE = /<(?:\w+:)?v\b[^>]*>([^<]*)/

const xmlOf = (bytes: Uint8Array | undefined): string =>
  new TextDecoder().decode(bytes).replace(CDATA_OR_COMMENT, (_whole, text: string = '') => escaped(text))

/** How many digits each style shows at least, such as 8 for the format `00000000`. */
function digitsOf(styles: string): readonly number[] {
  const attribute = (tag: string, name: string) => new RegExp(`\\s${name}=["']([^"']*)`).exec(tag)?.[1] ?? ''
  const formats = (styles.match(/<(?:\w+:)?numFmt\s[^>]*>/g) ?? []).toReversed()
  const codes = new Map(formats.map((tag) => [attribute(tag, 'numFmtId'), attribute(tag, 'formatCode')]))
  const [cellStyles = ''] = /<(?:\w+:)?cellXfs\b[\s\S]*?<\/(?:\w+:)?cellXfs\b/.exec(styles) ?? []
  const codeOf = (tag: string): string => codes.get(attribute(tag, 'numFmtId')) ?? ''
  return (cellStyles.match(/<(?:\w+:)?xf\b[^>]*>/g) ?? []).map((tag) => /^0{2,}$/.exec(codeOf(tag))?.[0].length ?? 0)
}

/** The library drops errors, formulas that were not calculated and leading zeros, and takes ISO dates as local. */
function withShownTexts(xml: string, digits: readonly number[]): string {
  return xml.replace(CELL, (cell, name: string, attributes: string, body: string = '') => {
    const type = TYPE.exec(attributes)?.[1] || 'n'
    const value = VALUE.exec(body)?.[1]?.trim()
    const asText = (text: string) => `<${name}${attributes.replace(TYPE, '')} t="str"><v>${text}</v></${name}>`
    const isLost = type === 'e' || (FORMULA.test(body) && !(type === 'str' && value === ''))
    if (!value) return isLost ? asText('#NOT CALCULATED!') : cell
    if (type === 'e' || type === 'd') return asText(value)
    const width = digits[Number(STYLE.exec(attributes)?.[1])]
    const isPadded = type === 'n' && width && /^\d+$/.test(numberText(value))
    return isPadded ? asText(numberText(value).padStart(width, '0')) : cell
  })
}

/** Without compression, because the library has no limit on unpacking. */
async function packed(files: readonly PackedFile[]): Promise<ArrayBuffer> {
  const writer = new ZipWriter(new Uint8ArrayWriter(), { level: 0 })
  const digits = digitsOf(xmlOf(files.find(({ name }) => name.endsWith('/styles.xml'))?.bytes))
  for (const { name, bytes } of files) {
    const shown = name.endsWith('.xml') ? new TextEncoder().encode(withShownTexts(xmlOf(bytes), digits)) : bytes
    await writer.add(name, new Uint8ArrayReader(shown))
  }
  return (await writer.close()).slice().buffer
}

/** The first sheet. */
export async function rowsOfWorkbook(files: readonly PackedFile[]): Promise<readonly Row[] | ParsedStatement> {
  let rows: readonly Row[]
  try {
    const sheet = await readSheet(await packed(files), { parseNumber: numberText })
    rows = sheet
      .map((cells, index) => ({ cells: cells.map(cellText), place: index + 1 }))
      .filter(({ cells }) => cells.some((cell) => cell !== ''))
  } catch {
    return broken({ place: null, what: 'The workbook is damaged. Export it again.' })
  }
  if (rows.length === 0) return broken({ place: null, what: 'The first sheet of the workbook is empty.' })
  if (rows.length > 2 * LINES_MAX) return broken({ place: null, what: TOO_MANY })
  const wide = rows.find(({ cells }) => cells.length > COLUMNS_MAX)
  return wide === undefined ? rows : broken({ place: wide.place, what: TOO_WIDE })
}

const EXACT_DIGITS = 15
const shownNumber = new Intl.NumberFormat('en-US', { maximumSignificantDigits: EXACT_DIGITS, useGrouping: false })

/**
 * As Excel shows it: 15 digits, and longer integers in exponent form, because their last digits are lost. Three
 * decimals get a zero, so that the point is not taken for grouping.
 */
function numberText(raw: string): string {
  const number = Number(raw)
  if (Number.isInteger(number) && Math.abs(number) >= 10 ** EXACT_DIGITS) return number.toExponential(5)
  const text = shownNumber.format(number)
  return /\.\d{3}$/.test(text) ? `${text}0` : text
}

const MIDNIGHT = 'T00:00:00.000Z'

function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) return '#####'
    const text = value.toISOString()
    return text.endsWith(MIDNIGHT) ? text.slice(0, -MIDNIGHT.length) : text.slice(0, 16).replace('T', ' ')
  }
  return typeof value === 'boolean' ? String(value).toUpperCase() : String(value).trim()
}
