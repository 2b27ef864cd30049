import { beforeEach, expect, test } from 'vitest'
import { store } from '#lib/store/store.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { openForTest, signInForTest } from '#lib/testing/test-sessions.ts'
import { preferenceChange, readPreferences, writePreferences } from './preferences.ts'
import { Session } from './session.ts'

const never = '2099-01-01T00:00:00.000Z'

const person = (actor: string): Session =>
  new Session(
    {
      id: actor,
      actor,
      displayName: actor,
      userId: actor,
      method: 'sso',
      admittedBy: 'claim',
      adminByClaim: false,
      endsAt: never,
      lastActiveAt: never,
    },
    Buffer.alloc(32),
    { idHash: actor, isReplaced: false },
  )

const ana = person('sso:ana')

beforeEach(async () => {
  await freshConsole()
})

test('nothing chosen means the defaults; what was chosen is kept, and belongs to the person', async () => {
  const defaults = {
    ...{ theme: 'system', timeFirst: 'local', notify: false, density: 'normal' },
    ...{ hiddenColumns: {}, defaultViews: {} },
  }
  expect(await readPreferences(ana)).toEqual(defaults)
  await writePreferences(ana, { density: 'compact', notify: true })
  await writePreferences(ana, { table: { name: 'account-history', hidden: ['note', 'fee'] } })
  expect(await readPreferences(ana)).toEqual({
    ...defaults,
    notify: true,
    density: 'compact',
    hiddenColumns: { 'account-history': ['note', 'fee'] },
  })
  expect(await readPreferences(person('sso:ben'))).toEqual(defaults)
})

test('choices made at once are all kept', async () => {
  const changes = ['a', 'b', 'c', 'd'].map((name) => writePreferences(ana, { table: { name, hidden: ['note'] } }))
  await Promise.all([...changes, writePreferences(ana, { theme: 'dark' }), writePreferences(ana, { timeFirst: 'utc' })])
  const { theme, timeFirst, hiddenColumns } = await readPreferences(ana)
  expect({ theme, timeFirst }).toEqual({ theme: 'dark', timeFirst: 'utc' })
  expect(Object.keys(hiddenColumns).sort()).toEqual(['a', 'b', 'c', 'd'])
})

test('a table that shows everything again takes no room, and beyond 40 the oldest choice goes', async () => {
  await writePreferences(ana, { table: { name: 'shown', hidden: ['note'] } })
  await writePreferences(ana, { table: { name: 'shown', hidden: [] } })
  expect((await readPreferences(ana)).hiddenColumns).toEqual({})
  const names = Array.from(
    { length: 42 },
    (_, at) => `t${String.fromCharCode(97 + Math.floor(at / 26), 97 + (at % 26))}`,
  )
  for (const name of names) await writePreferences(ana, { table: { name, hidden: ['note'] } })
  expect(Object.keys((await readPreferences(ana)).hiddenColumns)).toEqual(names.slice(2))
})

test('a change outside the bounds is none', () => {
  const refused = [
    { density: 'huge' },
    { table: { name: '__proto__', hidden: [] } },
    { table: { name: 'x'.repeat(41), hidden: [] } },
    { table: { name: 'history', hidden: Array.from({ length: 41 }, () => 'note') } },
    { table: { name: 'history', hidden: ['a b'] } },
    { defaultView: { table: 'history', view: 'the one with the filters' } },
    { anything: 1 },
  ]
  for (const change of refused) expect(preferenceChange.safeParse(change).success, JSON.stringify(change)).toBe(false)
})

test('the view that a table opens with is kept for the person, and can be given up', async () => {
  const view = '00000000-0000-4000-8000-0000000000a1'
  await writePreferences(ana, { defaultView: { table: 'queue', view } })
  expect((await readPreferences(ana)).defaultViews).toEqual({ queue: view })
  expect((await readPreferences(person('sso:ben'))).defaultViews).toEqual({})
  await writePreferences(ana, { defaultView: { table: 'queue', view: null } })
  expect((await readPreferences(ana)).defaultViews).toEqual({})
})

test('they come with the session in one statement, and a choice made with it is read', async () => {
  const handle = await signInForTest({ actor: 'sso:ana' })
  await writePreferences(ana, { theme: 'dark' })
  const session = await openForTest(handle)
  // As long as this request lasts, the store is not asked for them again.
  await (await store()).deleteFrom('preference').execute()
  expect((await readPreferences(session)).theme).toBe('dark')
  await writePreferences(session, { timeFirst: 'utc' })
  expect(await readPreferences(session)).toMatchObject({ theme: 'system', timeFirst: 'utc' })
})
