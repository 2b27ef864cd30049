import { expect } from 'vitest'
import { store } from '#lib/store/store.ts'
import { runCommand } from '#lib/testing/command-run.ts'
import { confirmForTest, csvOf, importedAndRead, pageOf, statusesOf, toItsEnd } from '#lib/testing/test-statement.ts'
import { serviceTest } from '#lib/testing/test-worlds.ts'
import { readTransaction } from '#lib/transactions/transaction-service.ts'
import { draftByHand } from './confirm-lines.ts'
import { editLine } from './edit-line.ts'
import { startMatching } from './match-lines.ts'
import { findConfirmation } from './shown-lines.ts'

const CONFIRM = '/api/v1/Transaction/deposit/confirm'

const test = serviceTest
  .extend('lookAgain', ({ operator }) => (id: string) => {
    return toItsEnd((detach) => startMatching(operator, id, detach, 'all'))
  })
  /** Confirms a deposit past this console. */
  .extend('confirmElsewhere', ({ service }) => async (referenceId: string): Promise<void> => {
    const { accessToken } = await service.login('operator@example.com')
    await service.call('POST', CONFIRM, {
      token: accessToken,
      body: { referenceId, bankReference: `ELSE ${referenceId}` },
    })
  })

test('confirmed by another system, it reads so after the next look and is not ready', async ({
  service,
  operator,
  lookAgain,
  confirmElsewhere,
}) => {
  const reference = await service.announceDeposit('10')
  const id = await importedAndRead(operator, csvOf([{ reference }]))
  await confirmElsewhere(reference)
  expect(await statusesOf(id)).toEqual(['ready'])
  const before = (await pageOf(id)).lookedAt ?? ''
  await lookAgain(id)
  const { lines, ready, lookedAt } = await pageOf(id)
  expect(lines[0]).toMatchObject({ status: 'elsewhere', found: { state: 'PROCESSING' }, confirmation: null })
  expect(ready.count).toBe(0)
  expect(lookedAt! > before).toBe(true)
  expect((await draftByHand(operator, id, 1)).ok).toBe(false)
})

test('as soon as this console has read it anywhere, without a look at the statement', async ({
  service,
  operator,
  admin,
  confirmElsewhere,
}) => {
  const reference = await service.announceDeposit('10')
  const id = await importedAndRead(operator, csvOf([{ reference }]))
  await confirmElsewhere(reference)
  await readTransaction(admin, reference)
  await expect.poll(() => statusesOf(id)).toEqual(['elsewhere'])
  expect(await confirmForTest(operator, id)).toBe('changed')
})

test('a colleague confirmed it on its own page with another bank reference: it says who', async ({
  service,
  operator,
  admin,
  lookAgain,
}) => {
  const reference = await service.announceDeposit('10')
  const id = await importedAndRead(operator, csvOf([{ reference, bank: 'B-1' }]))
  const params = { referenceId: reference, bankReference: 'B-2', statementAmount: '10' }
  const { command } = await runCommand(admin, 'deposit.confirm', params)
  // Also before anybody looks.
  expect(await statusesOf(id)).toEqual(['elsewhere'])
  await lookAgain(id)
  expect((await pageOf(id)).lines[0]).toMatchObject({
    status: 'elsewhere',
    confirmation: { commandId: command.id, by: 'admin@example.com', line: null },
  })
})

test('marks a line done when its own page confirmed it', async ({ service, operator, admin, lookAgain }) => {
  const reference = await service.announceDeposit('10')
  const lines = [
    { reference, bank: 'B-1' },
    { reference, bank: 'b-1', text: 'again' },
  ]
  const id = await importedAndRead(operator, csvOf(lines))
  const params = { referenceId: reference, bankReference: 'B-1', statementAmount: '10.00' }
  await runCommand(admin, 'deposit.confirm', params)
  expect(await statusesOf(id)).toEqual(['done', 'mismatched'])
  await lookAgain(id)
  expect(await statusesOf(id)).toEqual(['done', 'mismatched'])
  expect((await pageOf(id)).lines[0]).toMatchObject({ commandId: null, confirmation: { by: 'admin@example.com' } })
})

test('with another amount on the line it is not done by that', async ({ service, operator, admin, lookAgain }) => {
  const reference = await service.announceDeposit('10')
  const id = await importedAndRead(operator, csvOf([{ reference, bank: 'B-1', amount: '9' }]))
  await runCommand(admin, 'deposit.confirm', { referenceId: reference, bankReference: 'B-1', statementAmount: '10' })
  await lookAgain(id)
  expect(await statusesOf(id)).toEqual(['elsewhere'])
})

test.for([
  ['BLOCKED', 'ready'],
  ['UNHEARD', 'ready'],
  ['PROCESSING', 'elsewhere'],
] as const)('queued after it was %s, a deposit is %s', async ([state, status], { service, operator, lookAgain }) => {
  const reference = await service.announceDeposit('10')
  const db = await store()
  await db.insertInto('state_seen').values({ reference, state, first_seen_at: '2020-01-01T00:00:00.000Z' }).execute()
  const id = await importedAndRead(operator, csvOf([{ reference }]))
  expect(await statusesOf(id)).toEqual([status])
  await db.updateTable('state_seen').set({ first_seen_at: '2100-01-01T00:00:00.000Z' }).execute()
  expect(await statusesOf(id)).toEqual([status === 'ready' ? 'mismatched' : status])
  await lookAgain(id)
})

test.for([
  ['PENDING', 0, 'mismatched'],
  ['PENDING', -60, 'mismatched'],
  ['BLOCKED', 0, 'mismatched'],
  ['BLOCKED', -60, 'ready'],
] as const)(
  '%s read %i seconds after the lookup leaves it %s',
  async ([state, seconds, status], { service, operator }) => {
    const reference = await service.announceDeposit('10')
    const id = await importedAndRead(operator, csvOf([{ reference }]))
    const db = await store()
    // The Date header of an answer has whole seconds.
    const second = Math.floor(Date.parse((await pageOf(id)).lines[0]?.lookedAt ?? '') / 1000) + seconds
    const first_seen_at = new Date(second * 1000).toISOString()
    await db.insertInto('state_seen').values({ reference, state, first_seen_at }).execute()
    expect(await statusesOf(id)).toEqual([status])
    expect((await findConfirmation(db, id, 1))?.mayBeConfirmed).toBe(status === 'mismatched')
  },
)

test('a line that is done shows the state of now; a look at all leaves it done', async ({
  service,
  operator,
  lookAgain,
}) => {
  const reference = await service.announceDeposit('10')
  const id = await importedAndRead(operator, csvOf([{ reference }]))
  await confirmForTest(operator, id)
  expect((await pageOf(id)).lines[0]).toMatchObject({ status: 'done', found: { state: 'PROCESSING' } })
  await lookAgain(id)
  expect((await pageOf(id)).lines[0]).toMatchObject({ status: 'done', found: { state: 'PROCESSING' } })
  const db = await store()
  await db.insertInto('state_seen').values({ reference, state: 'PROCESSED', first_seen_at: '2030-01-01' }).execute()
  expect((await pageOf(id)).lines[0]).toMatchObject({ status: 'done', found: { state: 'PROCESSED' } })
})

test('when the next look fails the line is not ready, and says why', async ({ service, operator, lookAgain }) => {
  const reference = await service.announceDeposit('10')
  const id = await importedAndRead(operator, csvOf([{ reference }]))
  const path = `/api/v1/Transaction/${encodeURIComponent(reference)}`
  await service.fault('GET', path, { status: 500, code: 'core::server::fail', title: 'Broken' }, 10)
  await lookAgain(id)
  expect((await pageOf(id)).lines[0]).toMatchObject({ status: 'unread', problem: 'The service could not answer' })
})

test('totals by status and currency; a closing summary once nothing waits', async ({ service, operator }) => {
  const [one, two] = [await service.announceDeposit('0.1'), await service.announceDeposit('0.2')]
  const id = await importedAndRead(
    operator,
    csvOf([{ reference: one, amount: '0.1' }, { reference: two, amount: '0.2' }, { text: 'x' }, { text: 'y' }]),
  )
  expect((await pageOf(id)).totals).toEqual([
    { status: 'ready', currency: 'BZD', count: 2, sum: '0.3' },
    { status: 'unknown', currency: 'BZD', count: 2, sum: '20.00' },
  ])
  await confirmForTest(operator, id)
  await editLine(operator, id, 3, { act: 'set-aside', reason: 'asked the bank' })
  expect((await pageOf(id)).closing).toBeNull()
  await editLine(operator, id, 4, { act: 'set-aside', reason: 'asked the bank' })
  const { totals, closing } = await pageOf(id)
  expect(totals.map(({ status, sum }) => [status, sum])).toEqual([
    ['done', '0.3'],
    ['set-aside', '20.00'],
  ])
  expect(closing).toEqual([{ reason: 'asked the bank', count: 2 }])
})
