import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { log } from '#lib/config/log.ts'
import { peekPerProcess, putPerProcess } from '#lib/config/per-process.ts'
import { DatabaseError } from '#lib/database/database-error.ts'
import type { ThreadCase, ThreadMessage } from '#lib/disputes/thread/thread.ts'
import { store } from '#lib/store/store.ts'
import { eventually } from '#lib/testing/eventually.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { knownThreads, recordEventSoon } from './thread-table.ts'

const message = (): ThreadMessage => ({
  id: randomUUID(),
  senderUserId: randomUUID(),
  isSystemMessage: false,
  body: 'Nothing came.',
  createdAt: '2026-07-01T10:00:00.0000001Z',
})

const noted = async (caseId: string) =>
  (await (await store()).selectFrom('case_message').select('message_id').where('case_id', '=', caseId).execute()).map(
    ({ message_id }) => message_id,
  )

beforeEach(async () => {
  await freshConsole()
})
afterEach(() => {
  vi.useRealTimers()
})

test('what the hub tells is noted a moment later, all that came meanwhile in one go', async () => {
  const caseId = randomUUID()
  const [one, other] = [message(), message()]
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  recordEventSoon(caseId, { type: 'messages', messages: [one] })
  // Another session hears of the same message, and of one more.
  recordEventSoon(caseId.toUpperCase(), { type: 'messages', messages: [one, other] })
  expect(vi.getTimerCount()).toBe(1)
  expect(await noted(caseId)).toEqual([])
  vi.runAllTimers()
  vi.useRealTimers()
  await eventually(async () => expect((await noted(caseId)).toSorted()).toEqual([one.id, other.id].toSorted()))
})

test('what comes after that is noted as well', async () => {
  const caseId = randomUUID()
  const [one, other] = [message(), message()]
  recordEventSoon(caseId, { type: 'messages', messages: [one] })
  await eventually(async () => expect(await noted(caseId)).toEqual([one.id]))
  recordEventSoon(caseId, { type: 'messages', messages: [other] })
  await eventually(async () => expect(await noted(caseId)).toHaveLength(2))
})

test('an event that the store missed is recorded later', async () => {
  const caseId = randomUUID()
  const [one, other] = [message(), message()]
  const open = peekPerProcess('store')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    putPerProcess('store', Promise.reject(new DatabaseError('ECONNREFUSED', 'connect')))
    recordEventSoon(caseId, { type: 'snapshot', case: {} as ThreadCase, readOnly: false, messages: [one] })
    vi.runAllTimers()
    await eventually(() => expect(vi.getTimerCount()).toBe(1))
  } finally {
    putPerProcess('store', open)
  }
  recordEventSoon(caseId, { type: 'messages', messages: [other] })
  vi.runAllTimers()
  vi.useRealTimers()
  await eventually(async () =>
    expect((await knownThreads(await store(), 'mia', [caseId])).get(caseId)?.writers).toHaveLength(2),
  )
})

test('an event that the store refuses is logged once and dropped', async () => {
  const [caseId, one, refused] = [randomUUID(), message(), { ...message(), id: 'a\0b' }]
  const logged = vi.spyOn(log(), 'error')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  recordEventSoon(caseId, { type: 'messages', messages: [refused] })
  vi.runAllTimers()
  await eventually(() => expect(logged).toHaveBeenCalledOnce())
  await new Promise(setImmediate)
  recordEventSoon(caseId, { type: 'messages', messages: [one] })
  vi.runAllTimers()
  await eventually(async () => expect(await noted(caseId)).toEqual([one.id]))
  expect(logged).toHaveBeenCalledOnce()
})
