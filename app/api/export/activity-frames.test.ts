import { expect, onTestFinished, test, vi } from 'vitest'
import type { ActivityPage } from '#lib/activity/activity.ts'
import { type FileFormat, fileWriters } from '#lib/activity/activity-file.ts'
import type { ActivityRow } from '#lib/activity/activity-filter.ts'
import { DatabaseError } from '#lib/database/database-error.ts'
import { configureForTest } from '#lib/testing/test-console.ts'
import type { ExportFrame } from '#lib/values/csv.ts'
import { auditedFilter, exportName, writtenFrames } from './frames.ts'

configureForTest({ BUSINESS_ZONE: 'America/Belize' })

const change: ActivityRow = {
  id: 'c-1',
  record: 'c-1',
  at: '2026-11-20T10:00:00.000Z',
  actorName: 'operator@example.com',
  kind: 'deposit.confirm',
  title: 'Confirm deposit of 250.00 BZD',
  target: 'DEP~1',
  amount: '250.00000000',
  outcome: { class: 'done', lines: [], steps: [] },
  traceId: null,
  details: '',
}

const entry: ActivityRow = {
  ...change,
  id: 'e-1',
  record: 'e-1',
  kind: 'session.end',
  title: 'Session ended',
  target: '',
  amount: null,
  outcome: null,
  details: 'not used for too long',
}

const hostile: ActivityRow = {
  ...change,
  actorName: '=HYPERLINK("http://elsewhere","open")',
  kind: '@SUM(1)',
  title: '\t-1+1',
  target: '+1;"2"\r\n3',
  amount: null,
  outcome: { class: 'refused', sent: true, title: '＝1', advice: '', problem: null },
  traceId: '00-4bf9',
}

async function framesOf(pages: readonly (readonly ActivityRow[])[], format: FileFormat, total = 3) {
  async function* parts(): AsyncGenerator<ActivityPage> {
    for (const rows of pages) yield { rows, total }
  }
  return await Array.fromAsync(writtenFrames(parts(), fileWriters[format], `activity.${format}`))
}

const textOf = (frames: readonly ExportFrame[]): string =>
  frames.map((frame) => ('text' in frame ? frame.text : '')).join('')

test('a table begins with its mark and its headings; no cell of it is run by a spreadsheet', async () => {
  expect(textOf(await framesOf([[change, hostile, entry]], 'csv'))).toBe(
    '\uFEFFTime (UTC),Person,Kind,Change,About,Amount (BZD),Outcome,Details,Trace id,Id\r\n' +
      '2026-11-20T10:00:00.000Z,operator@example.com,Confirm a deposit,Confirm deposit of 250.00 BZD,DEP~1,250.00000000,done,,,c-1\r\n' +
      `2026-11-20T10:00:00.000Z,"'=HYPERLINK(""http://elsewhere"",""open"")",'@SUM(1),"'\t'-1+1","'+1;""2""\r\n3",,refused,'＝1,00-4bf9,c-1\r\n` +
      '2026-11-20T10:00:00.000Z,operator@example.com,End of a session,Session ended,,,,not used for too long,,e-1\r\n',
  )
})

test('names a file by the day of the business time zone', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-21T05:59:59Z') })
  onTestFinished(() => void vi.useRealTimers())
  expect(exportName('cases-open', true)).toBe('cases-open-filtered-2026-11-20.csv')
})

test('audits the whole filter of an export', () => {
  const filter = new URLSearchParams({ person: 'م'.repeat(200), text: 'DEP~1' })
  expect(auditedFilter(filter)).toBe(filter.toString())
})

test('exports one JSON array over all parts', async () => {
  const file: unknown = JSON.parse(textOf(await framesOf([[change], [hostile, change]], 'json')))
  expect(file).toMatchObject([{ id: 'c-1', amount: '250.00000000' }, { about: '+1;"2"\r\n3', details: '＝1' }, {}])
  expect(JSON.parse(textOf(await framesOf([], 'json', 0)))).toEqual([])
  expect(JSON.parse(textOf(await framesOf([[], [change], []], 'json', 1)))).toMatchObject([{ id: 'c-1' }])
})

test('rows are counted as they come, of how many there are; the end says where the file was cut', async () => {
  const frames = await framesOf([[change], [change]], 'csv')
  expect(frames.slice(1)).toMatchObject([
    { kind: 'rows', rows: 1, total: 3 },
    { kind: 'rows', rows: 2, total: 3 },
    { kind: 'end', rows: 2, cut: true },
  ])
  expect((await framesOf([[change, change, change]], 'csv')).at(-1)).toMatchObject({ rows: 3, cut: false })
})

test('a store that fails on the way is told, and there is no end', async () => {
  async function* parts(): AsyncGenerator<ActivityPage> {
    yield { rows: [change], total: 2 }
    throw new DatabaseError('ECONNREFUSED', 'select')
  }
  const frames = await Array.fromAsync(writtenFrames(parts(), fileWriters.csv, 'activity.csv'))
  expect(frames.at(-1)).toMatchObject({ kind: 'problem', problem: { kind: 'console', status: 503 } })
  expect(frames.some(({ kind }) => kind === 'end')).toBe(false)
})
