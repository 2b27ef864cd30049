import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { recordServiceTime } from '#lib/service/client.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { eventually } from '#lib/testing/eventually.ts'
import { ANA, BEN, caseOf, FIRST_PAGE, freshQueue, list, ME, queueOfList, signedIn } from '#lib/testing/listed-cases.ts'
import { ok, refused, type ScriptedService } from '#lib/testing/scripted-service.ts'
import { readAccountHistory, statesSeen } from '#lib/transactions/transaction-service.ts'
import { disputedWithoutCase } from './find-cases.ts'

let service: ScriptedService
let session: Session

const scopes = (...held: readonly string[]) =>
  service.on(`GET /api/v1/Users/${ME}/scopes`, ok({ userId: ME, roles: [], scopes: held }))

const saw = async (...seen: readonly (readonly [reference: string, state: string, firstSeenAt: string])[]) => {
  const db = await store()
  for (const [reference, state, first_seen_at] of seen) {
    await db.insertInto('state_seen').values({ reference, state, first_seen_at, since: null }).execute()
  }
}

const listed = async (by = session) => (await disputedWithoutCase(by)).map(({ reference }) => reference)

beforeEach(async () => {
  ;({ service, session } = await freshQueue())
  scopes('disputes:resolve', 'transactions:read')
  session = await signedIn('sso:me')
  service.on(FIRST_PAGE, list(caseOf(1), caseOf(2, { status: 'RESOLVED' })))
  await saw(
    ['reference 1', 'DISPUTED', '2026-07-01T10:00:00Z'],
    ['reference 2', 'DISPUTED', '2026-07-01T10:00:00Z'],
    ['later', 'DISPUTED', '2026-07-02T10:00:00Z'],
    ['sooner', 'DISPUTED', '2026-07-01T10:00:00Z'],
    ['over', 'DISPUTED', '2026-07-01T10:00:00Z'],
    ['over', 'PROCESSED', '2026-07-03T10:00:00Z'],
    ['new', 'DISPUTED', new Date().toISOString()],
  )
})

test('lists disputed transactions without a case, longest seen first', async () => {
  await queueOfList(session, 'ALL')
  expect(await listed()).toEqual(['sooner', 'later'])
})

test('lists none while the case list is not complete', async () => {
  service.on(FIRST_PAGE, list(caseOf(1), { id: 'unreadable' }))
  await queueOfList(session, 'ALL')
  expect(await listed()).toEqual([])
  service.on(FIRST_PAGE, refused(503, 'Unavailable'))
  expect(await listed()).toEqual([])
})

test('lists none for people without the scopes', async () => {
  await queueOfList(session, 'ALL')
  scopes('disputes:resolve')
  expect(await listed(await signedIn('sso:other'))).toEqual([])
  scopes('transactions:read')
  expect(await listed(await signedIn('sso:third'))).toEqual([])
})

test.each([
  ['behind', -600_000],
  ['ahead', 600_000],
])('waits for a newer list by a clock that is %s', async (_where, aheadMs) => {
  onTestFinished(() => recordServiceTime(new Date().toISOString()))
  const byService = (ms: number) => new Date(Date.now() + aheadMs + ms).toISOString()
  recordServiceTime(byService(0))
  await queueOfList(session, 'ALL')
  await saw(['of this minute', 'DISPUTED', byService(0)], ['of five minutes ago', 'DISPUTED', byService(-300_000)])
  expect(await listed()).toContain('of five minutes ago')
  expect(await listed()).not.toContain('of this minute')
})

test('remembers the disputed rows of a history', async () => {
  const row = (referenceId: string, state: string) => ({
    ...{ transactionId: '00000000-0000-4000-8000-0000000000aa', referenceId, state, fromAccountId: ANA },
    ...{ toAccountId: BEN, credit: '20', debit: '20', transactionType: 'P2P', chainReferenceId: '' },
    ...{ txContractAddress: '', txContractVersion: '', createdAt: '2026-07-01T10:00:00Z', settledAt: null },
    ...{ note: '', failReason: '' },
  })
  const transactions = [row('in dispute', 'DISPUTED'), row('settled', 'PROCESSED')]
  service.on(`GET /api/v1/Transaction/account/${ANA}?page=1&pageSize=20`, ok({ transactions, totalCount: 2 }))
  expect(await readAccountHistory(session, ANA, { page: 1, pageSize: 20 })).toMatchObject({ ok: true })
  await eventually(async () => expect(await statesSeen('in dispute')).toHaveLength(1))
  expect(await statesSeen('settled')).toEqual([])
})
