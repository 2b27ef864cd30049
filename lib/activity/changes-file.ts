import { BYTE_ORDER_MARK, csvLine } from '#lib/values/csv.ts'
import { Money } from '#lib/values/money.ts'
import { own } from '#lib/values/own.ts'
import type { ChangeRow } from './change-row.ts'
import { kindWords } from './kind-words.ts'

export const fileFormats = ['csv', 'json'] as const

export type FileFormat = (typeof fileFormats)[number]

/** How changes are written into a file of one format. */
interface FileWriter {
  readonly begin: string
  /** Rows to be appended; `first`: none went before. */
  rows(changes: readonly ChangeRow[], first: boolean): string
  readonly end: string
}

const headings = [
  ...['Time (UTC)', 'Person', 'Kind', 'Change', 'About', 'Amount (BZD)', 'Outcome', 'What was told', 'Trace id'],
  'Id',
]

export const fileWriters: Readonly<Record<FileFormat, FileWriter>> = {
  csv: {
    begin: BYTE_ORDER_MARK + csvLine(headings),
    rows: (changes) => changes.map((change) => csvLine(cellsOf(change))).join(''),
    end: '',
  },
  json: {
    begin: '[\n',
    rows: (changes, first) =>
      `${first ? '' : ',\n'}${changes.map((change) => JSON.stringify(fieldsOf(change))).join(',\n')}`,
    end: '\n]\n',
  },
}

/** `activity-2026-11-20.csv`. */
export const changesFileName = (day: string, format: FileFormat): string => `activity-${day}.${format}`

function fieldsOf({ id, at, kind, title, target, actorName, amount, outcome, traceId }: ChangeRow) {
  const [word, told] = [outcome.class, 'title' in outcome ? outcome.title : '']
  return { at, person: actorName, kind, change: title, about: target, amount, outcome: word, told, traceId, id }
}

function cellsOf(change: ChangeRow): readonly (string | Money)[] {
  const { at, person, kind, change: title, about, amount, outcome, told, traceId, id } = fieldsOf(change)
  const money = amount === null ? null : Money.fromWire(amount)
  return [at, person, own(kindWords, kind) ?? kind, title, about, money ?? '', outcome, told, traceId ?? '', id]
}
