import { beforeEach, expect, test } from 'vitest'
import { store } from '#lib/store/store.ts'
import { eventually } from '#lib/testing/eventually.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { cacheCardType, findCardTypes, insertCardType } from './issued-cards.ts'

beforeEach(async () => {
  await freshConsole()
})

test('card types are kept once each, as the service named them last, by their numbers', async () => {
  const db = await store()
  await insertCardType(db, { cardType: 2, cardTypeName: 'Business' })
  await insertCardType(db, { cardType: 1, cardTypeName: 'Classic' })
  await insertCardType(db, { cardType: 2, cardTypeName: 'Business Plus' })
  expect(await findCardTypes(db)).toEqual([
    { card_type: 1, name: 'Classic' },
    { card_type: 2, name: 'Business Plus' },
  ])
})

test('stores only card types with name and valid number', async () => {
  const db = await store()
  await insertCardType(db, { cardType: 3, cardTypeName: '' })
  await insertCardType(db, { cardType: 1_000_000_000, cardTypeName: 'Huge' })
  await insertCardType(db, { cardType: 4, cardTypeName: 'Yo\u0000uth' })
  expect(await findCardTypes(db)).toEqual([{ card_type: 4, name: expect.stringMatching(/^Yo.+uth$/) }])
})

test('a type that is noted by a read is there soon after', async () => {
  cacheCardType({ cardType: 1, cardTypeName: 'Classic' })
  await eventually(async () => expect(await findCardTypes(await store())).toHaveLength(1))
})
