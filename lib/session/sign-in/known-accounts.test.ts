import { beforeEach, expect, test } from 'vitest'
import { store } from '#lib/store/store.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { accountHash, findKnownPerson, saveKnownAccount } from './attempts.ts'

const MIA = { actor: 'sso:1', displayName: 'Mia Meyer' }
const LEO = { actor: 'sso:2', displayName: 'Leo Lang' }

beforeEach(async () => {
  await freshConsole()
})

test('knows an account however it is typed, and no other', async () => {
  const db = await store()
  await saveKnownAccount(db, 'Mia@Example.com ', MIA)
  expect(await findKnownPerson(db, ' mia@example.COM')).toEqual(MIA)
  expect(await findKnownPerson(db, 'mia@example.org')).toBeNull()
  expect(JSON.stringify(await db.selectFrom('known_account').selectAll().execute())).not.toMatch(/example/i)
})

test('names the person who was let in last', async () => {
  const db = await store()
  await saveKnownAccount(db, 'desk@example.com', MIA)
  await saveKnownAccount(db, 'desk@example.com', LEO)
  expect(await findKnownPerson(db, 'desk@example.com')).toEqual(LEO)
})

test('forgets an account that was not used for 400 days', async () => {
  const db = await store()
  await saveKnownAccount(db, 'mia@example.com', MIA)
  const last_at = new Date(Date.now() - 401 * 86_400_000).toISOString()
  await db.updateTable('known_account').set({ last_at }).execute()
  expect(await findKnownPerson(db, 'mia@example.com')).toBeNull()
  await saveKnownAccount(db, 'leo@example.com', LEO)
  const left = await db.selectFrom('known_account').select('account_hash').execute()
  expect(left).toEqual([{ account_hash: accountHash('leo@example.com') }])
})
