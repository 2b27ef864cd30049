import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dayAndMachine } from '../scripts/run-head.ts'
import { type PartRecord, RECORDS } from './hand-over.ts'

/** The figures of all parts that have handed over any, in the order of these names: of each part those of its latest run. */
export function tableOfAll(parts: readonly string[]): string {
  const records = readRecords().toSorted((a, b) => parts.indexOf(a.part) - parts.indexOf(b.part))
  const rows = records.flatMap(({ part, rows: of }) =>
    of.map(({ figure, seen, aim, met }) => tableRow([part, figure, seen, aim, met === null ? '' : verdict(met)])),
  )
  const runs = records.map(({ part, at, commit, loads: [before, after] }) =>
    tableRow([part, `${at.slice(0, 16).replace('T', ' ')} UTC`, commit, before, after]),
  )
  return [
    `${dayAndMachine()}.\n`,
    tableRow(['part', 'figure', 'seen', 'aim', '']),
    tableRow(['---', '---', '---', '---', '---']),
    ...rows,
    '',
    tableRow(['part', 'begun', 'commit', 'at its start', 'at its end']),
    tableRow(['---', '---', '---', '---', '---']),
    ...runs,
    '',
  ].join('\n')
}

const verdict = (met: boolean): string => (met ? 'met' : 'missed')

const tableRow = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

function readRecords(): readonly PartRecord[] {
  if (!existsSync(RECORDS)) return []
  const files = readdirSync(RECORDS).filter((file) => file.endsWith('.json'))
  return files.map((file) => JSON.parse(readFileSync(`${RECORDS}/${file}`, 'utf8')) as PartRecord)
}
