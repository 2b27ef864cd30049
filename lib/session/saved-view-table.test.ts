import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { store } from '#lib/store/store.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { VIEWS_MAX, viewNameFault } from './saved-view.ts'
import { addView, changeView, findView, removeView, type SavedViewRow, SHARED, viewsOf } from './saved-view-table.ts'

const TABLE = 'dispute-queue'
const BEN = { actor: 'sso:ben', displayName: 'Ben', method: 'password' } as const
const ANA = { actor: 'sso:ana', displayName: 'Ana', method: 'sso' } as const

const view = (name: string, change: Partial<SavedViewRow> = {}): SavedViewRow => ({
  id: randomUUID(),
  table_name: TABLE,
  scope: 'sso:ana',
  owner: 'sso:ana',
  owner_name: 'Ana',
  name,
  name_key: '',
  state: '{}',
  updated_at: '2026-07-01T00:00:00.000Z',
  ...change,
})
const add = async (added: SavedViewRow) => addView(await store(), ANA, added)
const seenBy = async (actor: string, table = TABLE) =>
  (await viewsOf(await store(), table, actor)).map(({ name }) => name)

beforeEach(async () => {
  await freshConsole()
})

test('a person sees their own views and those that are shared, of this table alone, by name', async () => {
  const own = view('b')
  await add(own)
  await add(view('a', { scope: SHARED }))
  await add(view('hers', { scope: 'sso:ben', owner: 'sso:ben' }))
  await add(view('elsewhere', { table_name: 'changes' }))
  expect(await seenBy('sso:ana')).toEqual(['a', 'b'])
  expect(await seenBy('sso:ben')).toEqual(['a', 'hers'])
  expect(await findView(await store(), own.id, 'sso:ben')).toBeUndefined()
  expect(await findView(await store(), own.id, 'sso:ana')).toMatchObject({ name: 'b' })
})

test('a name stands once for a table and a scope, in whatever case', async () => {
  expect(await add(view('Mine, oldest'))).toBe('saved')
  expect(await add(view(' mine,  OLDEST'))).toBe('taken')
  expect(await add(view('Mine, oldest', { scope: SHARED }))).toBe('saved')
  expect(await add(view('Mine, oldest', { table_name: 'changes' }))).toBe('saved')
  const other = view('Other')
  await add(other)
  expect(await changeView(await store(), ANA, other, { name: 'MINE, oldest', updated_at: 'x' })).toBe('taken')
  expect(await changeView(await store(), ANA, other, { name: 'other', updated_at: 'x' })).toBe('saved')
  expect(await seenBy('sso:ana')).toEqual(['Mine, oldest', 'Mine, oldest', 'other'])
})

test('what happens to a shared view stands in the audit trail, by whom; of one’s own view nothing does', async () => {
  const [shared, own] = [view('Night shift', { scope: SHARED }), view('mine')]
  for (const one of [shared, own]) {
    await add(one)
    await changeView(await store(), ANA, one, { name: `${one.name} 2`, updated_at: 'x' })
    await changeView(await store(), ANA, one, { state: '{"query":{}}', updated_at: 'x' })
    await removeView(await store(), BEN, one)
    await removeView(await store(), BEN, one)
  }
  const entries = await (await store()).selectFrom('audit_entry').selectAll().orderBy('at').execute()
  const told = entries.map(({ kind, actor, about, facts }) => [kind, actor, about, JSON.parse(facts) as object])
  const table = TABLE
  expect(told).toHaveLength(4)
  expect(told).toEqual(
    expect.arrayContaining([
      ['view.share', 'sso:ana', shared.id, { view: 'Night shift', table }],
      ['view.change', 'sso:ana', shared.id, { view: 'Night shift 2', table, what: 'its name' }],
      ['view.change', 'sso:ana', shared.id, { view: 'Night shift', table, what: 'what it shows' }],
      ['view.remove', 'sso:ben', shared.id, { view: 'Night shift', table, owner: 'Ana' }],
    ]),
  )
})

test('gives one name to one of two concurrent renames', async () => {
  const views = Array.from({ length: 6 }, (_, at) => view(`view ${at}`, { scope: SHARED }))
  for (const one of views) await add(one)
  const db = await store()
  for (let round = 0; round < 10; round += 1) {
    const name = `Oldest ${round}`
    const renamed = await Promise.all(views.map((one) => changeView(db, ANA, one, { name, updated_at: 'x' })))
    expect(renamed.toSorted()).toEqual(['saved', ...Array(5).fill('taken')])
    expect((await seenBy('sso:ana')).filter((shown) => shown === name)).toHaveLength(1)
  }
})

test(`a person has at most ${VIEWS_MAX} views of a table, and one that goes makes room`, async () => {
  const views = Array.from({ length: VIEWS_MAX }, (_, at) => view(`view ${at}`))
  for (const one of views) expect(await add(one)).toBe('saved')
  expect(await add(view('one more'))).toBe('full')
  expect(await seenBy('sso:ana')).toHaveLength(VIEWS_MAX)
  expect(await add(view('shared', { scope: SHARED }))).toBe('saved')
  expect(await add(view('his', { scope: 'sso:ben' }))).toBe('saved')
  await removeView(await store(), ANA, views[0]!)
  expect(await add(view('one more'))).toBe('saved')
})

test('views added at once do not exceed the limit', async () => {
  for (let at = 1; at < VIEWS_MAX; at += 1) await add(view(`view ${at}`))
  const added = await Promise.all(Array.from({ length: 6 }, (_, at) => add(view(`at once ${at}`))))
  expect(added.toSorted()).toEqual([...Array(5).fill('full'), 'saved'])
})

test('another state takes the place of the one before; of a view that is gone nothing comes back', async () => {
  const saved = view('a')
  await add(saved)
  expect(await changeView(await store(), ANA, saved, { state: '{"density":"compact"}', updated_at: 'x' })).toBe('saved')
  expect((await findView(await store(), saved.id, 'sso:ana'))?.state).toBe('{"density":"compact"}')
  await removeView(await store(), ANA, saved)
  expect(await changeView(await store(), ANA, saved, { state: '{}', updated_at: 'x' })).toBeUndefined()
  expect(await seenBy('sso:ana')).toEqual([])
})

test.each([
  ['', 'Enter a name for the view.'],
  ['   ', 'Enter a name for the view.'],
  ['x'.repeat(61), 'At most 60 characters'],
  ['two\nlines', 'Enter a single line'],
  ['a\u202eb', 'an invisible character'],
  ['4111 1111 1111 1111', 'Remove the card number'],
])('%j is no name for a view', (name, why) => {
  expect(viewNameFault(name)).toContain(why)
})
