import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { putPerProcess } from '#lib/config/per-process.ts'
import { DatabaseError } from '#lib/database/database-error.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import type { ExportFrame } from '#lib/values/csv.ts'
import { unavailable } from './answer.ts'
import { auditExport, type ExportTally } from './export/frames.ts'

beforeEach(async () => {
  await freshConsole()
})
afterEach(() => putPerProcess('stop', undefined))

const told = async (error: unknown, storeOut?: string) => {
  const response = unavailable(error, storeOut)
  const { problem } = (await response.json()) as { problem: { kind: string; title: string } }
  return [response.status, problem.kind, problem.title]
}

const STOPPING = 'The console is stopping. Try again in a moment'

describe('what kept the console from answering is said as it is', () => {
  test.each([
    ['no connection', new DatabaseError('ECONNREFUSED', 'connect')],
    ['no answer', new DatabaseError('ETIMEDOUT', 'select')],
    ['a store that did not open', new Error('not migrated', { cause: new DatabaseError('08006', 'connect') })],
  ])('its store is out: %s', async (_name, error) => {
    expect(await told(error)).toEqual([503, 'console', 'The console cannot reach its database right now'])
    expect((await told(error, 'The journal cannot be written'))[2]).toBe('The journal cannot be written')
  })

  test.each([
    ['a fault of its own', new TypeError('x is not a function')],
    ['a rule of the store', new DatabaseError('23505', 'insert')],
    ['no error at all', 'a text'],
  ])('nothing is wrong with its store: %s', async (_name, error) => {
    expect(await told(error, 'The journal cannot be written')).toEqual([
      500,
      'console',
      'Something went wrong in the console',
    ])
  })

  test('a console that is stopping says so, also where its store failed by it', async () => {
    const stopping = Object.assign(new Error(), { name: 'Stopping' })
    expect(await told(stopping, 'The journal cannot be written')).toEqual([503, 'console', STOPPING])
    putPerProcess('stop', { stopping: true, listeners: new Set() })
    expect(await told(new DatabaseError('ECONNRESET', 'select'))).toEqual([503, 'console', STOPPING])
  })
})

describe('an export and its entry in the audit trail', () => {
  async function* frames(end: 'end' | 'problem'): AsyncGenerator<ExportFrame> {
    yield { kind: 'start', fileName: 'f.csv', text: '' }
    yield { kind: 'rows', text: 'a', rows: 1, total: 3, read: 2 }
    yield { kind: 'rows', text: 'b', rows: 2, total: 3, read: 3 }
    if (end === 'end') yield { kind: 'end', text: '', rows: 2, unreadable: 0, cut: false }
    else yield { kind: 'problem', problem: { kind: 'unreachable' } as never }
  }
  const record = vi.fn(async (_came: ExportTally) => {})
  beforeEach(() => void record.mockReset())

  test('the entry is there before the end of the file', async () => {
    const order: string[] = []
    record.mockImplementation(async () => void order.push('entry'))
    for await (const { kind } of auditExport(frames('end'), record)) order.push(kind)
    expect(order).toEqual(['start', 'rows', 'rows', 'entry', 'end'])
    expect(record).toHaveBeenCalledExactlyOnceWith({ rows: 2, read: 3, end: 'whole' })
  })

  test('without its entry there is no file', async () => {
    record.mockRejectedValue(new DatabaseError('ECONNREFUSED', 'insert'))
    const came = await Array.fromAsync(auditExport(frames('end'), record))
    expect(came.at(-1)).toMatchObject({ kind: 'problem', problem: { kind: 'console' } })
    expect(came.some(({ kind }) => kind === 'end')).toBe(false)
  })

  test('what went out before somebody left, or before a problem, is recorded as well', async () => {
    const given = auditExport(frames('end'), record)
    await given.next()
    await given.next()
    await given.return()
    expect(record).toHaveBeenLastCalledWith({ rows: 1, read: 2, end: 'left' })
    await Array.fromAsync(auditExport(frames('problem'), record))
    expect(record).toHaveBeenLastCalledWith({ rows: 2, read: 3, end: 'failed' })
    expect(record).toHaveBeenCalledTimes(2)
  })

  test('one that was left before its first row is none', async () => {
    const given = auditExport(frames('end'), record)
    await given.next()
    await given.return()
    expect(record).not.toHaveBeenCalled()
  })
})
