export const FILE_MAX_BYTES = 5 * 1024 * 1024

export const SNIFFED_BYTES = 4096

const WANTED = 'Export the statement from online banking as camt.053, MT940, CSV or Excel.'

/** Magic bytes in hexadecimal; `.` is any digit. */
const BEGINNINGS: readonly (readonly [begins: RegExp, what: string])[] = [
  [
    /^89504e470d0a1a0a|^ffd8ff|^474946383|^52494646.{8}57454250|^49492a00|^4d4d002a|^424d.{8}00000000|^.{8}66747970(68656963|61766966|6d696631)/,
    'a picture',
  ],
  [/^25504446/, 'a PDF document'],
  [/^d0cf11e0a1b11ae1/, 'an old Office document'],
  [/^1f8b|^377abcaf271c|^526172211a07|^425a68|^fd377a585a00/, 'a compressed file'],
  [/^7b5c727466/, 'a text document (RTF)'],
]

const ZIPPED: readonly (readonly [part: string, what: string])[] = [
  ['word/', 'a Word document'],
  ['opendocument.spreadsheet', 'an OpenDocument spreadsheet'],
]

/** In words, from the first bytes; null if it may be a statement. */
export function notAStatement(bytes: Uint8Array): string | null {
  const beginning = bytes.subarray(0, SNIFFED_BYTES)
  const what = kindOf(beginning)
  if (what === null) return null
  return what === '' ? `The file is empty. ${WANTED}` : `This seems to be ${what}, not a bank statement. ${WANTED}`
}

const textOfBeginning = (bytes: Uint8Array): string => new TextDecoder('windows-1252').decode(bytes).replace(/^ï»¿/, '')

/** Empty for an empty file; null if it may be a statement. */
function kindOf(bytes: Uint8Array): string | null {
  const hex = Array.from(bytes.subarray(0, 32), (byte) => byte.toString(16).padStart(2, '0')).join('')
  const begun = BEGINNINGS.find(([begins]) => begins.test(hex))
  if (begun !== undefined) return begun[1]
  if (/^504b(0304|0506)/.test(hex)) return zipKind(bytes)
  if (/^fffe|^feff/.test(hex) || utf16Of(bytes) !== null) return null
  const text = textOfBeginning(bytes)
  if (text.trim() === '') return ''
  if (/^\s*(<!doctype html|<html|<head|<body)/i.test(text)) return 'a web page (HTML)'
  return isBinary(bytes) ? 'a program or other binary file' : null
}

/** Null for other archives and Excel workbooks. */
function zipKind(bytes: Uint8Array): string | null {
  const names = new TextDecoder('windows-1252').decode(bytes)
  return ZIPPED.find(([part]) => names.includes(part))?.[1] ?? null
}

const UTF16_SAMPLE_BYTES = 512

/** UTF-16 without a byte order mark: in Latin text, every other byte is NUL. */
export function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const sample = bytes.subarray(0, Math.min(UTF16_SAMPLE_BYTES, bytes.length - (bytes.length % 2)))
  const half = sample.length / 2
  const nulsAt = (start: 0 | 1): number => sample.filter((byte, at) => byte === 0 && at % 2 === start).length
  const [high, low] = [nulsAt(0), nulsAt(1)]
  if (low === 0 && high > half / 2) return 'utf-16be'
  return high === 0 && low > half / 2 ? 'utf-16le' : null
}

/** A stray control character is allowed here and reported with its line later. */
function isBinary(bytes: Uint8Array): boolean {
  const controls = bytes.filter((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27)).length
  return controls > 2 && controls * 50 > bytes.length
}
