import { expect, test } from 'vitest'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { Transaction } from '#lib/contract/transactions.ts'
import { DatabaseError } from '#lib/database/database-error.ts'
import type { HistoryPart } from '#lib/users/whole-history.ts'
import type { ExportFrame } from '#lib/values/csv.ts'
import { auditExport, historyFrames } from './frames.ts'

const transaction: Transaction = {
  transactionId: 't',
  referenceId: 'P2P~1',
  fromAccountId: 'a',
  toAccountId: 'b',
  credit: '9.50000000',
  debit: '10.00000000',
  transactionType: 'P2P',
  state: 'PROCESSED',
  chainReferenceId: '',
  txContractAddress: '',
  txContractVersion: '',
  createdAt: '2026-11-20T10:00:00.0000000Z',
  settledAt: null,
  note: '=1+1',
  failReason: '',
}

const part = (references: readonly string[], more = false): HistoryPart => ({
  ok: true,
  rows: references.map((referenceId, at) => ({
    readable: true,
    value: { ...transaction, referenceId },
    place: at + 1,
  })),
  total: 5,
  more,
})

const framesOf = async (parts: readonly HistoryPart[]): Promise<ExportFrame[]> => {
  async function* each() {
    yield* parts
  }
  return await Array.fromAsync(historyFrames(each(), 'history.csv'))
}

test('a file begins with its mark and its headings, counts its rows, and ends with their number', async () => {
  const frames = await framesOf([part(['r1', 'r2']), part(['r3'], true)])
  expect(frames.map(({ kind }) => kind)).toEqual(['start', 'rows', 'rows', 'end'])
  expect(frames[0]).toMatchObject({ fileName: 'history.csv', text: expect.stringMatching(/^\uFEFFReference,.*\r\n$/) })
  expect(frames[1]).toMatchObject({ rows: 2, total: 5 })
  expect(frames[3]).toEqual({ kind: 'end', text: '', rows: 3, unreadable: 0, cut: true })
})

test('a row has every fact, the fee in it, and text that no spreadsheet runs', async () => {
  const [, rows] = await framesOf([part(['r1'])])
  expect(rows).toMatchObject({
    text: "r1,2026-11-20T10:00:00.0000000Z,,P2P,PROCESSED,a,b,10.00000000,9.50000000,0.50000000,'=1+1,\r\n",
  })
})

test('a row that could not be read says so in the file and is counted', async () => {
  const frames = await framesOf([{ ok: true, rows: [{ readable: false, place: 7 }], total: 7, more: false }])
  expect(frames[1]).toMatchObject({ text: `(row 7 of the history could not be read)${','.repeat(11)}\r\n` })
  expect(frames[2]).toMatchObject({ rows: 1, unreadable: 1 })
})

test('a problem on the way takes the place of the end', async () => {
  const problem = problemOf('unreachable')
  const frames = await framesOf([part(['r1']), { ok: false, problem }])
  expect(frames.at(-1)).toEqual({ kind: 'problem', problem })
  expect(frames.some(({ kind }) => kind === 'end')).toBe(false)
})

test('exports matching and unreadable rows of a filter', async () => {
  const row = (referenceId: string, change: Partial<Transaction>) =>
    ({ readable: true, value: { ...transaction, referenceId, ...change }, place: 1 }) as const
  async function* parts(): AsyncGenerator<HistoryPart> {
    yield {
      ok: true,
      rows: [
        row('fits', {}),
        row('other state', { state: 'FAIL' }),
        row('other type', { transactionType: 'DEPOSIT' }),
        row('other day', { createdAt: '2026-11-21T00:00:00.0000000Z' }),
        { readable: false, place: 5 },
      ],
      total: 5,
      more: false,
    }
  }
  const filter = { state: 'PROCESSED', type: 'P2P', from: '', to: '2026-11-20', zone: 'UTC' }
  const [, rows, end] = await Array.fromAsync(historyFrames(parts(), 'history.csv', filter))
  expect(rows).toMatchObject({ rows: 2, read: 5, total: 5 })
  expect(end).toMatchObject({ rows: 2, unreadable: 1 })
  const text = rows !== undefined && 'text' in rows ? rows.text : ''
  expect(text.split('\r\n').map((line) => line.split(',')[0])).toEqual([
    'fits',
    '(row 5 of the history could not be read)',
    '',
  ])
})

test('a fault of the console on the way is a failed export', async () => {
  async function* parts(): AsyncGenerator<HistoryPart> {
    yield part(['r1'])
    throw new DatabaseError('ECONNRESET', 'select')
  }
  const ends: string[] = []
  const record = async ({ end }: { readonly end: string }) => void ends.push(end)
  const frames = await Array.fromAsync(auditExport(historyFrames(parts(), 'history.csv'), record))
  expect(frames.at(-1)).toMatchObject({ kind: 'problem', problem: { kind: 'console', status: 503 } })
  expect(ends).toEqual(['failed'])
})
