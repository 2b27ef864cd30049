import { afterEach, expect, test, vi } from 'vitest'
import { store } from '#lib/store/store.ts'
import { caseOf, freshQueue, idOf, recordCase } from '#lib/testing/listed-cases.ts'
import { dropUnseenSince } from './case-index.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('a clock that is behind changes no later row', async () => {
  await freshQueue()
  await recordCase(caseOf(1, { status: 'RESOLVED' }))
  await recordCase(caseOf(2))
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 120_000 })
  await recordCase(caseOf(1))
  const now = new Date().toISOString()
  await dropUnseenSince(await store(), now, [])
  const rows = await (await store()).selectFrom('case_index').select(['id', 'status']).orderBy('id').execute()
  expect(rows).toEqual([
    { id: idOf(1), status: 'RESOLVED' },
    { id: idOf(2), status: 'OPEN' },
  ])
})
