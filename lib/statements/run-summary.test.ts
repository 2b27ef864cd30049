import { expect } from 'vitest'
import { store } from '#lib/store/store.ts'
import { signedIn } from '#lib/testing/test-session.ts'
import { confirmForTest, csvOf, importedAndRead, pageOf, statusesOf, toItsEnd } from '#lib/testing/test-statement.ts'
import { serviceTest } from '#lib/testing/test-worlds.ts'
import { startConfirming } from './confirm-lines.ts'
import { editLine } from './edit-line.ts'
import { startMatching } from './match-lines.ts'
import { readStatementProgress } from './view.ts'
import { stopWork } from './work.ts'

const CONFIRM = '/api/v1/Transaction/deposit/confirm'
const ADMIN = '00000000-0000-4000-8000-000000000003'

const test = serviceTest
  /** A statement whose lines are all ready. */
  .extend('readyStatement', ({ service, operator }) => async (...amounts: readonly string[]): Promise<string> => {
    const lines: { reference: string; amount: string }[] = []
    for (const amount of amounts) lines.push({ reference: await service.announceDeposit(amount), amount })
    return await importedAndRead(operator, csvOf(lines))
  })
  .extend('refuseNext', ({ service }) => () => {
    return service.fault('POST', CONFIRM, { status: 409, code: 'core::conflict', title: 'Not now' })
  })
  .extend('loseNext', ({ service }) => () => {
    return service.fault('POST', CONFIRM, 'drop-before')
  })
  .extend('lookUpAgain', ({ operator }) => (id: string) => {
    return toItsEnd((detach) => startMatching(operator, id, detach, 'all'))
  })

const summaryOf = async (id: string) => (await pageOf(id)).work.summary

test('sums up confirmed amounts exactly', async ({ operator, readyStatement }) => {
  const id = await readyStatement('0.1', '0.2', '4591.06')
  expect(await summaryOf(id)).toBeNull()
  await confirmForTest(operator, id)
  expect(await summaryOf(id)).toMatchObject({ isLatest: true, confirmed: 3, sum: '4591.36', notDone: 0, notKnown: 0 })
})

test('counts refused and unknown lines apart', async ({ operator, readyStatement, refuseNext, loseNext }) => {
  const id = await readyStatement('10', '20', '30')
  await refuseNext()
  await loseNext()
  await confirmForTest(operator, id)
  expect(await statusesOf(id)).toEqual(['refused', 'open', 'done'])
  expect(await summaryOf(id)).toMatchObject({ confirmed: 1, sum: '30', notDone: 1, notKnown: 1 })
})

test('counts a skipped line as not done', async ({ service }) => {
  const { accessToken: token } = await service.login('admin@example.com')
  const own = await service.call('POST', '/api/v1/Transaction/deposit', { token, body: { amount: 10, note: '' } })
  const lines = [{ reference: String(own.data?.referenceId) }, { reference: await service.announceDeposit('10') }]
  const admin = await signedIn(service, 'admin@example.com', ADMIN)
  const id = await importedAndRead(admin, csvOf(lines))
  await confirmForTest(admin, id)
  expect(await statusesOf(id)).toEqual(['refused', 'done'])
  expect(await summaryOf(id)).toMatchObject({ confirmed: 1, sum: '10.00', notDone: 1, notKnown: 0 })
})

test('follows an outcome that becomes known', async ({ operator, readyStatement, loseNext }) => {
  const id = await readyStatement('10')
  await loseNext()
  await confirmForTest(operator, id)
  const open = await summaryOf(id)
  expect(open).toMatchObject({ confirmed: 0, sum: '0', notDone: 0, notKnown: 1 })
  await (await store()).updateTable('command').set({ state: 'applied' }).where('state', '=', 'unknown').execute()
  expect(await summaryOf(id)).toEqual({ ...open, confirmed: 1, sum: '10', notKnown: 0 })
})

test('shows the sum so far while a run goes on', async ({ service, operator, readyStatement }) => {
  const id = await readyStatement('10', '20', '30')
  const { seal } = (await pageOf(id)).ready
  await toItsEnd(async (detach) => {
    await service.fault('POST', CONFIRM, { delayMs: 0 })
    await service.fault('POST', CONFIRM, 'hold')
    await startConfirming(operator, id, { seal, code: null }, detach)
    await service.held(1)
    const { work } = (await readStatementProgress(id))!
    expect(work).toMatchObject({ work: 'confirm', done: 1, summary: { confirmed: 1, sum: '10', notKnown: 1 } })
    await stopWork(id, work.run)
    await service.clearFaults()
  })
  expect((await pageOf(id)).work).toMatchObject({
    ended: 'Stopped after 2 of 3.',
    summary: { confirmed: 2, sum: '30', notDone: 0, notKnown: 0 },
  })
})

test('keeps the summary after a later lookup', async ({ operator, readyStatement, refuseNext, lookUpAgain }) => {
  const id = await readyStatement('10', '20')
  await refuseNext()
  await confirmForTest(operator, id)
  const before = await summaryOf(id)
  await lookUpAgain(id)
  expect(await summaryOf(id)).toEqual({ ...before, isLatest: false })
})

test('belongs to the latest run', async ({ operator, readyStatement, refuseNext, lookUpAgain }) => {
  const id = await readyStatement('10', '20')
  await refuseNext()
  await confirmForTest(operator, id)
  const first = await summaryOf(id)
  await editLine(operator, id, 1, { act: 'look' })
  expect(await summaryOf(id)).toEqual(first)
  await confirmForTest(operator, id)
  const second = await summaryOf(id)
  expect(second).toMatchObject({ confirmed: 1, sum: '10', notDone: 0 })
  expect(second?.batch).not.toBe(first?.batch)
  await lookUpAgain(id)
  expect(await summaryOf(id)).toEqual({ ...second, isLatest: false })
})
