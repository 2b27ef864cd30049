import { beforeEach, expect, test } from 'vitest'
import { store } from '#lib/store/store.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { RECENT_MERCHANTS_MAX, recentMerchants, rememberMerchant } from './recent-merchants.ts'

beforeEach(async () => {
  await freshConsole()
})

const remember = async (actor: string, merchants: readonly string[]) => {
  // Each at a time of its own: the clock has milliseconds.
  for (const merchant of merchants) {
    await rememberMerchant(await store(), actor, merchant)
    const written = Date.now()
    while (Date.now() === written) await Promise.resolve()
  }
}

test('the merchant looked at last comes first, each stands once, and each person has their own', async () => {
  await remember('sso:1', ['a', 'b', 'c', 'a'])
  await remember('sso:2', ['z'])
  expect(await recentMerchants(await store(), 'sso:1')).toEqual(['a', 'c', 'b'])
  expect(await recentMerchants(await store(), 'sso:2')).toEqual(['z'])
  expect(await recentMerchants(await store(), 'sso:3')).toEqual([])
})

test('beyond the bound, the one looked at longest ago is forgotten, in the store as well', async () => {
  const merchants = Array.from({ length: RECENT_MERCHANTS_MAX + 3 }, (_, n) => `merchant-${n}`)
  await remember('sso:1', merchants)
  expect(await recentMerchants(await store(), 'sso:1')).toEqual(merchants.slice(3).reverse())
  const kept = await (await store()).selectFrom('recent_merchant').selectAll().execute()
  expect(kept).toHaveLength(RECENT_MERCHANTS_MAX)
})

test('many looks at once leave one whole list', async () => {
  const db = await store()
  await Promise.all(Array.from({ length: 30 }, (_, n) => rememberMerchant(db, 'sso:1', `merchant-${n % 12}`)))
  expect((await recentMerchants(db, 'sso:1')).length).toBeLessThanOrEqual(RECENT_MERCHANTS_MAX)
})
