import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { config } from '#lib/config/config.ts'
import { verifyJournal } from '#lib/journal/verify.ts'
import { store } from '#lib/store/store.ts'
import { claimedBy } from '#lib/testing/test-claim.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { claimOf, claimsOf, dropClaim, endClaims } from './workspace-tables.ts'

beforeEach(async () => {
  await freshConsole()
})

test('a case has one claim, under its id in capitals and in small letters; the others are unassigned', async () => {
  const db = await store()
  const [one, other] = [randomUUID(), randomUUID()]
  await claimedBy('sso:1', one.toUpperCase())
  await claimedBy('sso:2', one)
  const claims = await claimsOf(db, [one.toUpperCase(), other])
  expect([...claims]).toEqual([[one, expect.objectContaining({ caseId: one, holder: 'sso:2' })]])
  expect(await claimOf(db, one)).toEqual(claims.get(one))
  expect(await claimOf(db, other)).toBeNull()
  expect(await claimsOf(db, [])).toEqual(new Map())
})

test('a claim that is dropped is gone, and the others stay', async () => {
  const db = await store()
  const [one, other] = [randomUUID(), randomUUID()]
  await claimedBy('sso:1', one)
  await claimedBy('sso:1', other)
  await db.transaction().execute((trx) => dropClaim(trx, one.toUpperCase()))
  expect([...(await claimsOf(db, [one, other])).keys()]).toEqual([other])
})

test('a resolved case is unassigned, and the journal says by what the claim ended, once', async () => {
  const db = await store()
  const [resolved, open] = [randomUUID(), randomUUID()]
  const { commandId: command } = await claimedBy('sso:1', resolved)
  await claimedBy('sso:1', open)
  await Promise.all([endClaims(db, [resolved.toUpperCase()]), endClaims(db, [resolved])])
  await endClaims(db, [resolved])
  expect([...(await claimsOf(db, [resolved, open])).keys()]).toEqual([open])
  const events = await db.selectFrom('command_event').selectAll().where('command_id', '=', command).execute()
  const ends = events.filter(({ body }) => JSON.parse(body).ended === 'the case is resolved')
  expect(ends).toHaveLength(1)
  expect((await verifyJournal(db, config())).faults).toEqual([])
})
