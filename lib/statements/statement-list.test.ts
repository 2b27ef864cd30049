import { expect } from 'vitest'
import { executeCommand } from '#lib/commands/execute.ts'
import { findCommand } from '#lib/commands/store.ts'
import { config } from '#lib/config/config.ts'
import { putPerProcess } from '#lib/config/per-process.ts'
import { verifyJournal } from '#lib/journal/verify.ts'
import { store } from '#lib/store/store.ts'
import { runCommand } from '#lib/testing/command-run.ts'
import {
  confirmForTest,
  csvOf,
  importedAndRead,
  importForTest,
  pageOf,
  statusesOf,
  toItsEnd,
} from '#lib/testing/test-statement.ts'
import { serviceTest } from '#lib/testing/test-worlds.ts'
import { draftByHand, startConfirming } from './confirm-lines.ts'
import { readDayReport, reportDay } from './day-report.ts'
import { editLine } from './edit-line.ts'
import { startMatching } from './match-lines.ts'
import {
  discardStatement,
  eraseDiscardedStatements,
  eraseOldLines,
  findDiscarded,
  isStatementThere,
  openStatementsFor,
  readStatementList,
  restorableStatements,
  restoreStatement,
} from './statement-list.ts'
import { readStatement, readWork } from './view.ts'

const CONFIRM = '/api/v1/Transaction/deposit/confirm'
const READ = '/api/v1/Transaction/{referenceId}'
const MINUTE_MS = 60_000

const test = serviceTest.extend('sent', ({ service }) => (): Promise<number> => {
  return service.arrived('POST', CONFIRM)
})

const kindsOf = async (id: string) =>
  (
    await (await store()).selectFrom('command').select('kind').where('target', '=', id).orderBy('created_at').execute()
  ).map(({ kind }) => kind)

/** As if it had been discarded so long ago. */
async function discardedAgo(id: string, minutes: number): Promise<void> {
  const discarded_at = new Date(Date.now() - minutes * MINUTE_MS).toISOString()
  await (await store()).updateTable('statement').set({ discarded_at }).where('id', '=', id).execute()
}

test('lists and reports a deposit confirmed with a grouped amount', async ({ service, operator, admin }) => {
  const reference = await service.announceDeposit('1250')
  const id = await importedAndRead(operator, csvOf([{ reference, amount: '1250.00', bank: 'B-7' }]))
  const params = { referenceId: reference, bankReference: 'B-7', statementAmount: 'BZD 1,250.00' }
  await runCommand(admin, 'deposit.confirm', params)
  expect(await statusesOf(id)).toEqual(['done'])
  expect((await readStatementList({ open: true, page: 1, size: 20 })).counts).toEqual({ open: 0, all: 1 })
  const { people } = await readDayReport(await store(), reportDay('').day, null)
  expect(people.map(({ confirmed }) => confirmed)).toEqual([{ count: 1, sum: '1250' }])
})

test('offers open statements to those who may confirm', async ({ operator, viewer }) => {
  for (const bank of ['B-1', 'B-2'])
    await importForTest(operator, csvOf([{ reference: 'DEP~1', amount: '5.00', bank }]))
  expect(await openStatementsFor(operator, 1)).toMatchObject({ statements: [{ open: [{ count: 1 }] }], count: 2 })
  expect(await openStatementsFor(viewer, 1)).toEqual({ statements: [], count: 0 })
})

test('hides a discarded statement, and restores it as it was', async ({ service, operator, sent }) => {
  const before = await sent()
  const id = await importedAndRead(operator, csvOf([{ reference: await service.announceDeposit('10') }, {}]))
  await editLine(operator, id, 2, { act: 'set-aside', reason: 'asked the bank' })
  const { ready, lines } = await pageOf(id)
  expect(await discardStatement(operator, id)).toBeNull()
  expect(await readStatement(id, { status: null, page: 1, size: 20 })).toBeNull()
  expect(await isStatementThere(id)).toBe(false)
  expect(await editLine(operator, id, 1, { act: 'look' })).toMatch(/Line not found/)
  expect((await draftByHand(operator, id, 1)).ok).toBe(false)
  const order = { seal: ready.seal, code: null }
  expect(await toItsEnd((detach) => startConfirming(operator, id, order, detach))).toBe('changed')
  expect(await toItsEnd((detach) => startMatching(operator, id, detach))).toBe(false)
  expect((await findDiscarded(id))?.statement).toMatchObject({ id, discarded_by: 'operator@example.com' })
  expect((await restorableStatements()).map((one) => one.id)).toEqual([id])
  expect(await restoreStatement(operator, id)).toEqual([])
  expect(await isStatementThere(id)).toBe(true)
  expect((await pageOf(id)).lines).toEqual(lines)
  expect(await kindsOf(id)).toEqual([
    'statement.import',
    'statement.edit-line',
    'statement.discard',
    'statement.restore',
  ])
  expect(await sent()).toBe(before)
})

test('only who imported it may discard it, and only they may restore it', async ({ operator, admin }) => {
  const id = await importForTest(operator, csvOf([{}]))
  expect(await discardStatement(admin, id)).toMatch(/Only the person who imported/)
  for (const _repeated of [1, 2]) expect(await discardStatement(operator, id)).toBeNull()
  expect(await discardStatement(admin, id)).toMatch(/Only the person who imported/)
  expect(await kindsOf(id)).toEqual(['statement.import', 'statement.discard'])
  expect(await restoreStatement(admin, id)).toMatch(/Only the person who imported/)
})

test('after ten minutes it is restored no more, and erased for good; the journal and what it confirmed stay', async ({
  service,
  operator,
}) => {
  const reference = await service.announceDeposit('10')
  const id = await importedAndRead(operator, csvOf([{ reference, bank: 'B-1' }]))
  await confirmForTest(operator, id)
  expect(await discardStatement(operator, id)).toBeNull()
  await discardedAgo(id, 9)
  await eraseDiscardedStatements()
  expect(await findDiscarded(id)).not.toBeNull()
  await discardedAgo(id, 11)
  expect(await restoreStatement(operator, id)).toMatch(/ten minutes have passed/)
  expect([await findDiscarded(id), await restorableStatements()]).toEqual([null, []])
  await eraseDiscardedStatements()
  const db = await store()
  expect(await db.selectFrom('statement').selectAll().execute()).toEqual([])
  expect(await db.selectFrom('statement_line').selectAll().execute()).toEqual([])
  const confirmed = await db.selectFrom('command').select('state').where('target', '=', reference).execute()
  expect(confirmed).toEqual([{ state: 'done' }])
  expect((await verifyJournal(db, config())).faults).toEqual([])
})

test('erases the texts of lines after TEXT_KEPT_DAYS', async ({ operator }) => {
  const id = await importForTest(operator, csvOf([{ text: 'Dolores Canary' }, { text: 'Dolores Canary' }]))
  await editLine(operator, id, 2, { act: 'set-aside', reason: 'Dolores Canary asked' })
  const lines = async () => JSON.stringify(await (await store()).selectFrom('statement_line').selectAll().execute())
  const erased = async (days: number | null) => {
    Object.assign(config(), { textKeptDays: days })
    putPerProcess('line retention', undefined)
    await eraseOldLines()
    return !(await lines()).includes('Canary')
  }
  expect([await erased(30), await erased(null)]).toEqual([false, false])
  const taken_at = new Date(Date.now() - 31 * 1440 * MINUTE_MS).toISOString()
  await (await store()).updateTable('statement').set({ taken_at }).where('id', '=', id).execute()
  expect([await erased(null), await erased(30)]).toEqual([false, true])
  expect((await pageOf(id)).lines.map(({ amount }) => amount)).toHaveLength(2)
  const events = (await store()).selectFrom('command_event').select('body').where('state', '=', 'statement.erase-lines')
  expect((await events.execute()).map(({ body }) => JSON.parse(body))).toEqual([
    { statements: [{ statement: id, lines: 2 }], keptDays: 30 },
  ])
})

test('erases the payer of a line whose text looks erased', async ({ operator }) => {
  const id = await importForTest(operator, csvOf([{ text: '(erased)' }]))
  const db = await store()
  const payer = { payer_name: 'Dolores Canary', payer_account: 'BZ12' }
  await db.updateTable('statement_line').set(payer).execute()
  await db.updateTable('statement').set({ taken_at: '2026-01-01T00:00:00.000Z' }).where('id', '=', id).execute()
  Object.assign(config(), { textKeptDays: 30 })
  putPerProcess('line retention', undefined)
  await eraseOldLines()
  const [line] = await db.selectFrom('statement_line').selectAll().execute()
  expect(line).toMatchObject({ payer_name: '', payer_account: '' })
})

test('the same file anew takes the place of the discarded one, and what was confirmed is not confirmed again', async ({
  service,
  operator,
  sent,
}) => {
  const before = await sent()
  const reference = await service.announceDeposit('10')
  const bytes = csvOf([{ reference, bank: 'B-1' }])
  const first = await importedAndRead(operator, bytes)
  await confirmForTest(operator, first)
  expect(await discardStatement(operator, first)).toBeNull()
  const second = await importedAndRead(operator, bytes)
  expect(second).not.toBe(first)
  expect(await restoreStatement(operator, first)).toMatch(/imported again/)
  expect((await pageOf(second)).lines[0]).toMatchObject({
    status: 'done',
    seen: null,
    confirmation: { by: 'operator@example.com', line: null },
  })
  expect(await confirmForTest(operator, second)).toBe('changed')
  await expect.poll(sent).toBe(before + 1)
})

test('not while a run goes on over it', async ({ service, operator }) => {
  const id = await importedAndRead(operator, csvOf([{ reference: await service.announceDeposit('10') }]))
  const { seal } = (await pageOf(id)).ready
  await service.fault('POST', CONFIRM, 'hold', 1)
  await toItsEnd(async (detach) => {
    await startConfirming(operator, id, { seal, code: null }, detach)
    await service.held(1)
    expect(await discardStatement(operator, id)).toMatch(/Work is in progress/)
    await service.clearFaults()
  })
  expect(await statusesOf(id)).toEqual(['done'])
})

test('not while the end of one of its confirmations is not known', async ({ service, operator }) => {
  const id = await importedAndRead(operator, csvOf([{ reference: await service.announceDeposit('10') }]))
  await service.fault('POST', CONFIRM, 'drop-before', 1)
  await confirmForTest(operator, id)
  expect(await statusesOf(id)).toEqual(['open'])
  expect(await discardStatement(operator, id)).toMatch(/not known yet/)
  expect((await readWork(id))?.work).toBeNull()
})

test('a confirmation that somebody looks at meanwhile is taken back: nothing is sent', async ({
  service,
  operator,
  admin,
  sent,
}) => {
  const before = await sent()
  const id = await importedAndRead(operator, csvOf([{}]))
  await editLine(admin, id, 1, { act: 'reference', reference: await service.announceDeposit('10') })
  const drafted = await draftByHand(admin, id, 1)
  if (!drafted.ok) throw new Error(drafted.why)
  expect(await discardStatement(operator, id)).toBeNull()
  const reply = await toItsEnd((detach) => executeCommand(admin, drafted.draft.id, { code: null, proof: null }, detach))
  expect(reply.ok && reply.command.outcome).toMatchObject({ class: 'refused', sent: false })
  expect(await sent()).toBe(before)
})

test('a refused discard leaves the drafts of others', async ({ service, operator, admin }) => {
  const lines = [{ reference: await service.announceDeposit('10') }, {}]
  const id = await importedAndRead(operator, csvOf(lines))
  await editLine(admin, id, 2, { act: 'reference', reference: await service.announceDeposit('10') })
  const drafted = await draftByHand(operator, id, 2)
  expect(await discardStatement(admin, id)).toMatch(/Only the person who imported/)
  await service.fault('POST', CONFIRM, 'drop-before', 1)
  await confirmForTest(admin, id)
  expect(await discardStatement(operator, id)).toMatch(/not known yet/)
  expect(drafted.ok && (await findCommand(await store(), drafted.draft.id))?.state).toBe('draft')
})

test('a refused discard leaves the draft of a run', async ({ service, operator }) => {
  const id = await importedAndRead(operator, csvOf([{ reference: await service.announceDeposit('10') }]))
  const { seal } = (await pageOf(id)).ready
  // For the draft, and before it is sent.
  await service.fault('GET', READ, { delayMs: 0 })
  await service.fault('GET', READ, 'hold')
  await toItsEnd(async (detach) => {
    await startConfirming(operator, id, { seal, code: null }, detach)
    await service.held(1)
    expect(await discardStatement(operator, id)).toMatch(/Work is in progress/)
    await service.clearFaults()
  })
  expect(await statusesOf(id)).toEqual(['done'])
})
