import { describe, expect, test } from 'vitest'
import type { QueueRow, QueueView } from '#lib/disputes/queue/queue.ts'
import { queueOf } from '#lib/testing/queue-of.ts'
import { initialQueue, showLatest, withRender, withReread, withUpdate } from './use-current-queue.ts'

const row = (id: string, status = 'OPEN'): QueueRow => ({
  ...{ id, status, reference: `of ${id}`, createdAt: '2026-07-01T10:00:00.0000000Z', resolvedAt: null },
  ...{ reason: 'Not delivered.', raisedBy: 'ana', against: 'ben', outcome: null, claim: null, thread: null },
  ...{ category: null, answerBy: null, notices: [] },
})

const NOTHING = { arrived: 0, arrivedHere: [], elsewhere: [] }
const at = (version: number, ids: readonly string[], change: Parameters<typeof queueOf>[1] = {}): QueueView =>
  queueOf(
    ids.map((id) => row(id)),
    { version, since: NOTHING, ...change },
  )
const idsOf = ({ rows }: QueueView) => rows.map(({ id }) => id)
const HERE = 'status=open'

describe('an older state never takes the place of a newer one', () => {
  test('when a stream of another process tells it', () => {
    const now = withUpdate(initialQueue(at(5, ['a', 'b']), HERE, null), at(7, ['a']), HERE)
    expect(withUpdate(now, at(6, ['a', 'b']), HERE)).toBe(now)
    expect(idsOf(withUpdate(now, at(7, ['c']), HERE).latest)).toEqual(['c'])
  })

  test('when the answer to what the person did comes after it', () => {
    const now = withUpdate(initialQueue(at(5, ['a', 'b']), HERE, null), at(7, ['a']), HERE)
    expect(idsOf(withReread(now, at(6, ['a', 'b']), HERE).shown)).toEqual(['a'])
    expect(idsOf(withReread(now, at(8, ['b']), HERE).shown)).toEqual(['b'])
  })

  test('for longer than until the first news, when a page came from before what the browser knew', () => {
    const back = withRender(initialQueue(at(9, ['c']), 'page=2', null), at(5, ['a', 'b']), HERE, at(9, ['c']))
    expect(idsOf(back.shown)).toEqual(['a', 'b'])
    expect(idsOf(withUpdate(back, at(10, ['b']), HERE).shown)).toEqual(['b'])
  })

  test('and rights that are others since are neither older nor newer', () => {
    const now = initialQueue(at(5, ['a']), HERE, null)
    expect(idsOf(withUpdate(now, at(3, [], { adminView: 'not-proved' }), HERE).latest)).toEqual([])
  })
})

test('rows keep their places until they are shown anew, and are marked then', () => {
  const now = withUpdate(
    initialQueue(at(5, ['a', 'b']), HERE, null),
    at(6, ['b', 'c'], { since: { ...NOTHING, arrived: 1, arrivedHere: ['c'] } }),
    HERE,
  )
  expect(idsOf(now.shown)).toEqual(['a', 'b'])
  const anew = showLatest(now)
  expect([idsOf(anew.shown), [...anew.marks]]).toEqual([['b', 'c'], [['c', 'new']]])
})

test('keeps rows in place when a page is read again', () => {
  const now = initialQueue(at(5, ['a']), HERE, null)
  expect(withRender(now, at(6, ['b']), HERE, null)).toBe(now)
  expect(idsOf(withUpdate(now, at(6, ['x']), 'page=2').shown)).toEqual(['x'])
  const part = initialQueue(at(5, ['a'], { index: { completeAt: null } }), HERE, null)
  expect(idsOf(withUpdate(part, at(6, ['b'], { index: { completeAt: null } }), HERE).shown)).toEqual(['a'])
  expect(idsOf(withUpdate(part, at(6, ['b']), HERE).shown)).toEqual(['b'])
})
