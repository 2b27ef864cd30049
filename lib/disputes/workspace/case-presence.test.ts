import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { eventually } from '#lib/testing/eventually.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { addViewer } from './case-workspace.ts'
import { viewersOf } from './workspace-tables.ts'

const CASE = '00000000-0000-4000-8000-0000000C0001'
const lease = async () =>
  (await (await store()).selectFrom('case_viewer').select('ends_at').executeTakeFirst())?.ends_at
const shown = async () => (await viewersOf(await store(), CASE.toLowerCase())).map(({ name }) => name)

const person = (name: string) => ({ actor: `sso:${name}`, displayName: name }) as Session

const leaves: (() => void)[] = []
const look = (name: string) => {
  const leave = addViewer(person(name), CASE)
  leaves.push(leave)
  return leave
}

beforeEach(async () => {
  await freshConsole()
})

afterEach(async () => {
  vi.useRealTimers()
  for (const leave of leaves.splice(0)) leave()
  await eventually(async () => expect(await shown()).toEqual([]))
})

test('whoever has a case open in a tab is seen, once for all tabs, until the last one closes', async () => {
  const [first, second] = [look('mia'), look('mia')]
  look('leo')
  await eventually(async () => expect(await shown()).toEqual(['leo', 'mia']))
  first()
  await eventually(async () =>
    expect((await (await store()).selectFrom('case_viewer').select('actor').execute()).length).toBe(2),
  )
  expect(await shown()).toEqual(['leo', 'mia'])
  second()
  await eventually(async () => expect(await shown()).toEqual(['leo']))
})

test('a tab that closes at once leaves nobody behind', async () => {
  look('mia')()
  look('leo')
  await eventually(async () => expect(await shown()).toEqual(['leo']))
})

test('the lease is renewed every ten seconds', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  look('mia')
  await eventually(async () => expect(await shown()).toEqual(['mia']))
  await (await store()).updateTable('case_viewer').set({ ends_at: 1 }).execute()
  expect(await shown()).toEqual([])
  vi.advanceTimersByTime(10_000)
  vi.useRealTimers()
  await eventually(async () => expect(await shown()).toEqual(['mia']))
  expect(await lease()).toBeGreaterThan(Date.now() / 1000 + 20)
})

test('restores the present viewers after the store was out', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  look('mia')
  const leave = look('leo')
  await eventually(async () => expect(await shown()).toEqual(['leo', 'mia']))
  leave()
  await eventually(async () => expect(await shown()).toEqual(['mia']))
  await (await store()).deleteFrom('case_viewer').execute()
  vi.advanceTimersByTime(10_000)
  vi.useRealTimers()
  await eventually(async () => expect(await shown()).toEqual(['mia']))
})
