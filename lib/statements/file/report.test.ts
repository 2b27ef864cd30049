import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { columnMapping, namedMapping } from '#lib/statements/remembered-mapping.ts'
import { figure, inline, workbook, zip } from '#lib/testing/packed-files.ts'
import { readPackedFile } from './read-file.ts'
import { EXIT, exitCodeOf, reportOf } from './report.ts'
import type { StatementLine } from './statement.ts'

const FOLDER = 'lib/testing/bank-files'

/** One bank file with one deviation, and what the import has to make of it. */
interface BankFile {
  readonly file: string
  readonly about: string
  /** Files of an archive, or the cells of a workbook; neither is a file of the folder. */
  readonly zip?: readonly string[]
  readonly sheet?: string
  readonly mapping?: unknown
  readonly exit: number
  readonly format?: string | null
  /** Without a currency or a reference, the line has none. */
  readonly lines?: readonly Partial<StatementLine>[]
  readonly leftOut?: Readonly<Record<string, number>>
  readonly warnings?: readonly string[]
  readonly faults?: readonly { readonly place: number | null; readonly words: string }[]
  readonly asks?: string
  readonly draft?: object
}

const cases = JSON.parse(readFileSync(join(FOLDER, 'cases.json'), 'utf8')) as readonly BankFile[]
const contentOf = (name: string): Uint8Array => readFileSync(join(FOLDER, name))

const EXCEL_EPOCH_MS = Date.UTC(1899, 11, 30)
const DAY_MS = 86_400_000

function excelCell(text: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return figure(String((Date.parse(text) - EXCEL_EPOCH_MS) / DAY_MS), '1')
  return /^-?([1-9]\d*|0)(\.\d+)?$/.test(text) ? figure(text) : inline(text)
}

async function bytesOf({ file, zip: names, sheet }: BankFile): Promise<Uint8Array> {
  if (names !== undefined) return await zip(Object.fromEntries(names.map((name) => [name, contentOf(name)])))
  if (sheet === undefined) return contentOf(file)
  const rows = new TextDecoder().decode(contentOf(sheet)).trimEnd().split('\n')
  return await zip(workbook(rows.map((row) => row.split('\t').map(excelCell).join(''))))
}

test.each(cases)('$file, $about', async (bankFile) => {
  const {
    mapping: mapped = null,
    exit,
    format = null,
    lines = [],
    leftOut = {},
    warnings = [],
    faults = [],
    asks,
    draft,
  } = bankFile
  const mapping = columnMapping.or(namedMapping).nullable().parse(mapped)
  const report = reportOf(await readPackedFile(await bytesOf(bankFile), mapping), mapping)
  expect(report).toMatchObject({
    format,
    lines: lines.map((line) => ({ currency: '', reference: '', bankReference: '', ...line })),
    leftOut: Object.entries(leftOut).map(([kind, count]) => ({ kind, count })),
    warnings: warnings.map((words) => ({ what: expect.stringContaining(words) })),
    faults: faults.map(({ place, words }) => ({ place, what: expect.stringContaining(words) })),
    asks: asks === undefined ? [] : [{ what: asks, ...(draft === undefined ? {} : { draft }) }],
  })
  expect(exitCodeOf(report)).toBe(exit)
})

test('names each bank file of the folder', () => {
  const named = cases.flatMap(({ file, zip: names = [file], sheet }) => (sheet === undefined ? names : [sheet]))
  const files = globSync('*', { cwd: FOLDER }).filter((name) => name !== 'cases.json')
  expect([...new Set(named)].toSorted()).toEqual(files.toSorted())
  expect(new Set(cases.map(({ exit }) => exit))).toEqual(new Set(Object.values(EXIT)))
})
