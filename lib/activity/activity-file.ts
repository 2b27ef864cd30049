import { BYTE_ORDER_MARK, csvLine } from '#lib/values/csv.ts'
import { Money } from '#lib/values/money.ts'
import { ownProperty } from '#lib/values/words.ts'
import type { ActivityRow } from './activity-filter.ts'
import { kindWords } from './kind-words.ts'

export const fileFormats = ['csv', 'json'] as const

export type FileFormat = (typeof fileFormats)[number]

export interface FileWriter<Row> {
  readonly begin: string
  /** `first`: nothing was written before these rows. */
  rows(rows: readonly Row[], first: boolean): string
  readonly end: string
}

type Cells = readonly (string | Money)[]

export const csvWriter = <Row>(headings: readonly string[], cellsOf: (row: Row) => Cells): FileWriter<Row> => ({
  begin: BYTE_ORDER_MARK + csvLine(headings),
  rows: (rows) => rows.map((row) => csvLine(cellsOf(row))).join(''),
  end: '',
})

export const amountCell = (amount: string | null): string | Money =>
  (amount === null ? null : Money.fromWire(amount)) ?? ''

const headings = [
  ...['Time (UTC)', 'Person', 'Kind', 'Change', 'About', 'Amount (BZD)', 'Outcome', 'Details', 'Trace id'],
  'Id',
]

export const fileWriters: Readonly<Record<FileFormat, FileWriter<ActivityRow>>> = {
  csv: csvWriter(headings, cellsOf),
  json: {
    begin: '[\n',
    rows: (rows, first) => `${first ? '' : ',\n'}${rows.map((row) => JSON.stringify(fieldsOf(row))).join(',\n')}`,
    end: '\n]\n',
  },
}

export const activityFileName = (day: string, format: FileFormat): string => `activity-${day}.${format}`

function fieldsOf({ record: id, at, kind, title, target, actorName, amount, outcome, traceId, ...entry }: ActivityRow) {
  const details = outcome !== null && 'title' in outcome ? outcome.title : entry.details
  const word = outcome?.class ?? ''
  return { at, person: actorName, kind, change: title, about: target, amount, outcome: word, details, traceId, id }
}

function cellsOf(row: ActivityRow): Cells {
  const { at, person, kind, change: title, about, amount, outcome, details, traceId, id } = fieldsOf(row)
  return [
    at,
    person,
    ownProperty(kindWords, kind) ?? kind,
    title,
    about,
    amountCell(amount),
    outcome,
    details,
    traceId ?? '',
    id,
  ]
}
