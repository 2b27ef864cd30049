import { beforeEach, expect, test } from 'vitest'
import { store } from '#lib/store/store.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { findThings, isPinned, PINNED_MAX, pin, RECENT_MAX, rememberShown, rememberThing } from './recent-things.ts'
import type { ThingKind } from './thing.ts'

beforeEach(async () => {
  await freshConsole()
})

const ME = 'sso:1'
const thing = (id: string, kind: ThingKind = 'transaction') => ({ kind, id })

async function remember(ids: readonly string[], actor = ME, kind: ThingKind = 'transaction', label = '') {
  // Each at a time of its own: the clock has milliseconds.
  for (const id of ids) {
    await rememberThing(actor, { ...thing(id, kind), label })
    const written = Date.now()
    while (Date.now() === written) await Promise.resolve()
  }
}

const ids = async (kind: ThingKind | null = 'transaction', actor = ME) =>
  (await findThings(actor, kind)).map(({ id }) => id)

test('what was shown last comes first, each stands once, by kind, and each person has their own', async () => {
  await remember(['a', 'b', 'c', 'a'])
  await remember(['u'], ME, 'user')
  await remember(['z'], 'sso:2')
  expect(await ids()).toEqual(['a', 'c', 'b'])
  expect(await ids(null)).toEqual(['u', 'a', 'c', 'b'])
  expect(await ids(null, 'sso:2')).toEqual(['z'])
  expect(await ids(null, 'sso:3')).toEqual([])
})

test('keeps no card number that was typed as an id', async () => {
  for (const id of ['4111111111111111', '4111-1111-1111-1111', 'merchant-001']) {
    await rememberShown(ME, { ...thing(id, 'merchant'), label: '' })
  }
  expect(await ids('merchant')).toEqual(['merchant-001'])
})

test('forgets the oldest recent items, and keeps pinned ones first', async () => {
  const many = Array.from({ length: RECENT_MAX + 3 }, (_, n) => `t-${n}`)
  await remember(many.slice(0, 1))
  expect(await pin({ actor: ME }, thing('t-0'), true)).toBe(true)
  await remember(many.slice(1))
  await remember(['other kind'], ME, 'case')
  expect(await ids()).toEqual(['t-0', ...many.slice(3).reverse()])
  expect(await (await store()).selectFrom('recent_thing').select('id').execute()).toHaveLength(RECENT_MAX + 2)
})

test('pins a thing for one person, with its label', async () => {
  await remember(['a'], ME, 'card', 'ending 4242')
  await pin({ actor: ME }, thing('a', 'card'), true)
  await pin({ actor: ME }, thing('new', 'card'), true)
  await remember(['a'], ME, 'card', 'ending 4242')
  expect(await isPinned({ actor: ME }, thing('a', 'card'))).toBe(true)
  expect(await isPinned({ actor: ME }, thing('a'))).toBe(false)
  expect(await isPinned({ actor: 'sso:2' }, thing('a', 'card'))).toBe(false)
  expect((await findThings(ME, 'card')).map(({ id, label }) => [id, label])).toEqual([
    ['a', 'ending 4242'],
    ['new', ''],
  ])
  await pin({ actor: ME }, thing('a', 'card'), false)
  expect(await isPinned({ actor: ME }, thing('a', 'card'))).toBe(false)
})

test('as many of a kind are pinned as the bound says, also where two tabs pin at once', async () => {
  const many = Array.from({ length: PINNED_MAX + 5 }, (_, n) => `t-${n}`)
  const pinned = await Promise.all(many.map((id) => pin({ actor: ME }, thing(id), true)))
  expect(pinned.filter(Boolean)).toHaveLength(PINNED_MAX)
  expect(await pin({ actor: ME }, thing('more'), true)).toBe(false)
  expect(await pin({ actor: ME }, thing('of another kind', 'user'), true)).toBe(true)
})

test('many looks at once, from several tabs, leave one whole list', async () => {
  const looks = Array.from({ length: 40 }, (_, n) => rememberThing(ME, { ...thing(`t-${n % 30}`), label: '' }))
  await Promise.all(looks)
  expect((await ids()).length).toBeLessThanOrEqual(RECENT_MAX)
})
