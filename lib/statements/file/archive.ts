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
import { currencyOf } from './amount-text.ts'
import { type Row, TOO_MANY, TOO_WIDE } from './csv.ts'
import { all, at, type Element, escaped, textAt, xmlParser } from './element.ts'
import { broken, COLUMNS_MAX, LINES_MAX, type ParsedStatement } from './statement.ts'
import { quoted } from './table.ts'

configure({ useWebWorkers: false })

const FILES_MAX = 200
const UNPACKED_MAX_BYTES = 8 * FILE_MAX_BYTES

export interface PackedFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** Returns words if it cannot be unpacked. */
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
const INLINE_TEXT = /<(?:\w+:)?is[\s>]/
const VALUE = /<(?:\w+:)?v\b[^>]*>([^<]*)/

const xmlOf = (bytes: Uint8Array | undefined): string =>
  new TextDecoder().decode(bytes).replace(CDATA_OR_COMMENT, (_whole, text: string = '') => escaped(text))

/** Marks cells that are numbers. */
const NUMBER = '\ue100'

type Show = (number: string) => string

/** Built-in formats show it unchanged. */
function formatsOf(styles: string): readonly Show[] {
  const sheet = at(xmlParser.parse(styles) as Element, 'styleSheet')
  const formats = all(at(sheet, 'numFmts'), 'numFmt')
  const codes = new Map(formats.map((one) => [textAt(one, '@numFmtId'), textAt(one, '@formatCode')]))
  return all(at(sheet, 'cellXfs'), 'xf').map((style) => showBy(codes.get(textAt(style, '@numFmtId')) ?? ''))
}

/** Groups: quoted text, escaped character, currency, digit. */
const FORMAT_PART = /"([^"]*)"|\\(.?)|\[\$([^\]-]*)[^\]]*\]|[_*].?|\[[^\]]*\]|([0#?.,%@]|General)/giu
const AROUND_NUMBER = /^([^\ue000-\ue0ff]*)([\ue000-\ue0ff].*[\ue000-\ue0ff]|.?)(.*)$/su
/** As in `250.-`. */
const NO_CENTS = /(?:\ue02e|(?<=[\ue000-\ue0ff])[.,])[-\u2212\u2013]+(?=[^\ue000-\ue0ff]*$)/
const DATE_WORDS = /(?<![a-z])([dmyhs]+|[ap]m?|[egb]+)(?![a-z])/i

/** With the currency, side and sign that the format shows. Other words make it unreadable as an amount. */
function showBy(code: string): Show {
  if (code === '' || DATE_WORDS.test(code.replaceAll(FORMAT_PART, ' '))) return (number) => number
  const sections = code.split(/;(?=(?:[^"]*"[^"]*")*[^"]*$)/).map(sectionOf)
  const conditions = code.replaceAll(/"[^"]*"/g, '')
  if (/\[(?!<0\]|>=?0\])[<>=]/.test(conditions)) {
    return (number) => [...new Set(sections.map((one) => shownIn({ ...one, hasMinus: false }, number)))].join(' / ')
  }
  const [first = sectionOf(''), second] = /^[^;]*\[</.test(conditions) ? [sections[1], sections[0]] : sections
  return (number) => (second && number.startsWith('-') ? shownIn(second, number, true) : shownIn(first, number))
}

interface Section {
  readonly before: string
  readonly after: string
  readonly width: number
  /** Empty if no text is between digits. */
  readonly inner: string
  /** Null if some are neither currencies nor sides. */
  readonly words: readonly string[] | null
  readonly hasMinus: boolean
  readonly isPrefix: boolean
}

const isSide = (word: string): boolean => /^[cd]r$/i.test(word)

function sectionOf(code: string): Section {
  const shown = code.replaceAll(FORMAT_PART, (_part, quoted, escapedChar, currency, digit?: string) =>
    digit ? String.fromCharCode(0xe000 + digit.charCodeAt(0)) : (quoted ?? escapedChar ?? currency ?? ''),
  )
  const [, before = '', digits = '', after = ''] = AROUND_NUMBER.exec(shown.replace(NO_CENTS, '')) ?? []
  const words = `${before} ${after}`.split(/[-+\u2212\u2013()\s]+/).filter((word) => word !== '' && word !== '$')
  const isKnown = words.every((word) => isSide(word) || currencyOf(word) !== null)
  const between = digits.includes('\ue02e') ? '' : digits.replaceAll(/[.,](?=\ue023\ue023.)/g, '')
  return {
    inner: /[^\ue000-\ue0ff\s'’/]/.test(between) ? digits : '',
    ...{ before, after, width: /^\ue030{2,}$/.test(digits) ? digits.length : 0 },
    ...{ words: isKnown ? words : null, hasMinus: /[-\u2212\u2013(]/.test(before + after) },
    isPrefix: /[a-z][- ]?$/i.test(before) && !words.some(isSide) && after === '' && !digits.includes('\ue02e'),
  }
}

/** In a section of negative numbers, a side replaces the minus. */
function shownIn(section: Section, number: string, isOfNegatives = false): string {
  const { before, after, width, inner, words, hasMinus, isPrefix } = section
  if (number.includes('e') || (inner !== '' && Number(number) === 0)) return number
  const [isNatural, plain] = [/^\d+$/.test(number), number.replace('-', '')]
  const digits = inner === '' ? plain.padStart(isNatural ? width : 0, '0') : filledIn(inner, plain)
  const mark = inner === '' ? NUMBER : ''
  if (Number(number) === 0) return mark + digits
  if (words === null || width > 0 || (isPrefix && isNatural && !isOfNegatives))
    return `${mark}${before}${number === plain ? '' : '-'}${digits}${after}`
  const side = isOfNegatives ? words.find(isSide) : undefined
  const isNegative = side === undefined ? hasMinus || number.startsWith('-') : hasMinus && !/^dr$/i.test(side)
  return mark + [`${isNegative ? '-' : ''}${digits}`, ...words].join(' ')
}

/** Excel fills the places of whole numbers from the right. */
function filledIn(inner: string, number: string): string {
  if (!/^\d+$/.test(number) || /(?![\ue023\ue030\ue03f])[\ue000-\ue0ff]/.test(inner)) {
    const code = inner.replaceAll(/[\ue000-\ue0ff]/g, (one) => String.fromCharCode(one.charCodeAt(0) - 0xe000))
    return `${number} as ${code}`
  }
  const left = [...number]
  const filled = [...inner].toReversed().map((one) => {
    if (!/[\ue000-\ue0ff]/.test(one)) return one
    return left.pop() ?? (one === '\ue030' ? '0' : '')
  })
  return left.join('') + filled.toReversed().join('')
}

/** The library drops errors, formulas that were not calculated and leading zeros, and takes ISO dates as local. */
const withShownTexts = (xml: string, formats: readonly Show[]): string =>
  xml.replace(CELL, (cell, name: string, attributes: string, body: string = '') => {
    const type = TYPE.exec(attributes)?.[1] || 'n'
    const value = VALUE.exec(body)?.[1]?.trim()
    const asText = (text: string) => `<${name}${attributes.replace(TYPE, '')} t="str"><v>${text}</v></${name}>`
    const isText = INLINE_TEXT.test(body) || (type === 'str' && value === '')
    const isLost = type === 'e' || (FORMULA.test(body) && !isText)
    if (!value) return isLost ? asText('#NOT CALCULATED!') : cell
    if (type === 'e' || type === 'd') return asText(value)
    if (type !== 'n') return cell
    const number = numberText(value)
    const shown = formats[Number(STYLE.exec(attributes)?.[1])]?.(number) ?? number
    return shown === number ? cell : asText(escaped(shown))
  })

/** Without compression, because the library has no limit on unpacking. */
async function packed(files: readonly PackedFile[]): Promise<ArrayBuffer> {
  const writer = new ZipWriter(new Uint8ArrayWriter(), { level: 0 })
  const formats = formatsOf(xmlOf(files.find(({ name }) => name.endsWith('/styles.xml'))?.bytes))
  for (const { name, bytes } of files) {
    const shown = name.endsWith('.xml') ? new TextEncoder().encode(withShownTexts(xmlOf(bytes), formats)) : bytes
    await writer.add(name, new Uint8ArrayReader(shown))
  }
  return (await writer.close()).slice().buffer
}

function rowOf(marked: readonly string[], place: number): Row {
  const numbers = new Set(marked.flatMap((cell, at) => (cell.startsWith(NUMBER) ? [at] : [])))
  return { cells: marked.map((cell) => cell.replaceAll(NUMBER, '')), place, numbers }
}

/** The first sheet. */
export async function rowsOfWorkbook(files: readonly PackedFile[]): Promise<readonly Row[] | ParsedStatement> {
  let rows: readonly Row[]
  try {
    const sheet = await readSheet(await packed(files), { parseNumber: (raw) => NUMBER + numberText(raw) })
    rows = sheet
      .map((values, index) => rowOf(values.map(cellText), index + 1))
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

/** 15 digits, as Excel; longer integers as exponents. Three decimals get a zero: the point is no grouping. */
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
