import { amountCell, type Cells, csvWriter, type FileWriter } from '#lib/values/csv.ts'
import { ownProperty } from '#lib/values/words.ts'
import type { ActivityRow } from './activity-filter.ts'
import { kindWords } from './kind-words.ts'

export const fileFormats = ['csv', 'json'] as const

export type FileFormat = (typeof fileFormats)[number]

const headings = [
  ...['Time (UTC)', 'Person', 'Kind', 'Change', 'About', 'Amount (BZD)', 'Outcome', 'Details', 'Trace id'],
  'Id',
]

export const fileWriters: Readonly<Record<FileFormat, FileWriter<ActivityRow>>> = {
  csv: csvWriter(headings, cellsOf),
  json: {
    begin: '[\n',
    rows: (rows, first) =>
      rows.map((row, at) => (first && at === 0 ? '' : ',\n') + JSON.stringify(fieldsOf(row))).join(''),
    end: '\n]\n',
  },
}

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
