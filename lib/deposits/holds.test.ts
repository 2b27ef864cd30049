import { expect } from 'vitest'
import { recordServiceTime } from '#lib/service/client.ts'
import { readTotpStatus } from '#lib/service/security.ts'
import { store } from '#lib/store/store.ts'
import { cardTest } from '#lib/testing/card-world.ts'
import { runCommand } from '#lib/testing/command-run.ts'
import { holdsEnding, holdsNow } from './confirmed-deposits.ts'

const HOUR_MS = 3_600_000

const test = cardTest
  /** Announces a deposit for ana and confirms it; answers its reference. */
  .extend('confirmed', ({ service, operator }) => async (amount: string, session = operator): Promise<string> => {
    const referenceId = await service.announceDeposit(amount)
    const params = { referenceId, bankReference: `ATL ${referenceId}`, statementAmount: amount }
    expect((await runCommand(session, 'deposit.confirm', params)).command.outcome.class).toBe('done')
    return referenceId
  })
  .extend('referencesOf', ({ operator }) => async (session = operator) => {
    return (await holdsEnding(session)).holds.map(({ reference }) => reference)
  })

/** Moves the confirmation of a deposit so many hours back, as the journal’s command has it. */
async function hoursAgo(reference: string, hours: number): Promise<void> {
  const db = await store()
  const row = await db.selectFrom('command').selectAll().where('target', '=', reference).executeTakeFirstOrThrow()
  const back = (time: string) => new Date(Date.parse(time) - hours * HOUR_MS).toISOString()
  const outcome = (row.outcome ?? '').replace(
    /("Hold ends","value":")([^"]+)/,
    (_all, before, time) => before + back(time),
  )
  const change = { sent_at: back(row.sent_at ?? ''), created_at: back(row.created_at), outcome }
  await db.updateTable('command').set(change).where('id', '=', row.id).execute()
}

test('holds that end within a day, the next one first, with amount and end', async ({ operator, confirmed }) => {
  const [later, sooner, over] = [await confirmed('11'), await confirmed('12'), await confirmed('13')]
  await hoursAgo(sooner, 20)
  await hoursAgo(over, 25)
  const { holds, count, everyone } = await holdsEnding(operator)
  expect(holds).toMatchObject([
    { reference: sooner, amount: '12.00000000', latest: false },
    { reference: later, amount: '11.00000000' },
  ])
  expect(holds[0]?.endsAt && Date.parse(holds[0].endsAt) - Date.now()).toBeLessThan(4.1 * HOUR_MS)
  expect([count, everyone]).toEqual([2, true])
})

test('a deposit that was seen as settled has no hold any more; one that was seen queued before has', async ({
  confirmed,
  referencesOf,
}) => {
  const [settled, held] = [await confirmed('14'), await confirmed('15')]
  const db = await store()
  // Later than what the console notes meanwhile of what it reads.
  const first_seen_at = new Date(Date.now() + HOUR_MS).toISOString()
  for (const [reference, state] of [
    [settled, 'PROCESSED'],
    [held, 'QUEUED'],
  ] as const) {
    await db
      .insertInto('state_seen')
      .values({ reference, state, first_seen_at, since: null })
      .onConflict((conflict) => conflict.columns(['reference', 'state']).doUpdateSet({ first_seen_at }))
      .execute()
  }
  expect(await referencesOf()).toEqual([held])
})

test('keeps a new hold while the service seems seconds behind', async ({ confirmed, referencesOf }) => {
  const reference = await confirmed('15')
  await referencesOf()
  recordServiceTime(new Date(Date.now() - 10_000).toISOString())
  expect(await referencesOf()).toEqual([reference])
})

test('keeps a hold after a read by another clock', async ({ service, operator, confirmed, referencesOf }) => {
  await service.call('POST', '/sandbox/clock', { body: { advanceSeconds: 12 * 3600 } })
  const reference = await confirmed('15')
  expect(await readTotpStatus(operator)).toMatchObject({ ok: true })
  expect(await referencesOf()).toEqual([reference])
})

test('whoever does not confirm deposits is told of those that they confirmed themselves, and of no others', async ({
  admin,
  viewer,
  confirmed,
  referencesOf,
}) => {
  await confirmed('16')
  expect(await referencesOf(viewer)).toEqual([])
  expect((await holdsEnding(viewer)).everyone).toBe(false)
  expect((await referencesOf(admin)).length).toBe(1)
})

test('removes ended holds, and keeps unreadable ones as last seen', async ({ service, operator, admin, confirmed }) => {
  const unread = await confirmed('17')
  const ending = await holdsEnding(operator)
  // The watch of what was confirmed reads it, too.
  await service.fault('GET', '/api/v1/Transaction/{referenceId}', { status: 404 }, 100)
  expect((await holdsNow(operator, ending)).holds).toMatchObject([{ reference: unread, readNow: false }])
  await service.call('DELETE', '/sandbox/faults')
  expect((await holdsNow(operator, ending)).holds).toMatchObject([{ reference: unread, readNow: true }])
  // This machine's clock stands far behind that of the service from here on.
  await service.call('POST', '/sandbox/clock', { body: { advanceSeconds: 25 * 3600 } })
  await expect.poll(async () => await holdsNow(admin, ending)).toMatchObject({ holds: [], count: 0 })
  expect(await holdsEnding(operator)).toMatchObject({ holds: [], count: 0 })
})

test('what a session has just read at the service is not asked for again with every look at Home', async ({
  service,
  operator,
  confirmed,
}) => {
  const reference = await confirmed('18')
  const ending = await holdsEnding(operator)
  const arrived = () => service.arrived('GET', `/api/v1/Transaction/${encodeURIComponent(reference)}`)
  const before = await arrived()
  for (let look = 0; look < 3; look += 1) {
    expect((await holdsNow(operator, ending)).holds).toMatchObject([{ readNow: true }])
  }
  expect((await arrived()) - before).toBe(1)
})
