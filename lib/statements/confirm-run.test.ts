import { expect } from 'vitest'
import { kindNamed } from '#lib/commands/kind.ts'
import { draftCommand } from '#lib/commands/prepare.ts'
import { hasRoom } from '#lib/commands/rate-limit.ts'
import { reconcileCommand } from '#lib/commands/reconcile.ts'
import { findCommand } from '#lib/commands/store.ts'
import { bootId } from '#lib/config/per-process.ts'
import { endSession } from '#lib/session/end-session.ts'
import { store } from '#lib/store/store.ts'
import { sentSecondsAgo } from '#lib/testing/passed-time.ts'
import { signedIn } from '#lib/testing/test-session.ts'
import { confirmForTest, csvOf, importedAndRead, pageOf, statusesOf, toItsEnd } from '#lib/testing/test-statement.ts'
import { serviceTest } from '#lib/testing/test-worlds.ts'
import { draftLine, startConfirming } from './confirm-lines.ts'
import { editLine } from './edit-line.ts'
import { changeLine } from './line-table.ts'
import { findLine } from './shown-lines.ts'
import { beginWork, stopWork } from './work.ts'

const CONFIRM = '/api/v1/Transaction/deposit/confirm'
const READ = '/api/v1/Transaction/{referenceId}'
const ADMIN = '00000000-0000-4000-8000-000000000003'

const test = serviceTest
  /** A statement whose lines are all ready. */
  .extend('readyStatement', ({ service, operator }) => async (count: number) => {
    const references: string[] = []
    for (let at = 0; at < count; at += 1) references.push(await service.announceDeposit('10'))
    const id = await importedAndRead(operator, csvOf(references.map((reference) => ({ reference }))))
    return { id, references }
  })
  .extend('sent', ({ service }) => (): Promise<number> => {
    return service.arrived('POST', CONFIRM)
  })

test('every ready line is confirmed once; a second run finds nothing to do', async ({
  operator,
  readyStatement,
  sent,
}) => {
  const before = await sent()
  const { id } = await readyStatement(3)
  expect(await confirmForTest(operator, id)).toBe('started')
  expect(await statusesOf(id)).toEqual(['done', 'done', 'done'])
  expect(await confirmForTest(operator, id)).toBe('changed')
  await expect.poll(sent).toBe(before + 3)
  expect((await pageOf(id)).work).toMatchObject({ work: null, done: 3, total: 3, ended: '' })
})

test('refuses a deposit to the account of its operator', async ({ service, sent }) => {
  const before = await sent()
  const { accessToken: token } = await service.login('admin@example.com')
  const own = await service.call('POST', '/api/v1/Transaction/deposit', { token, body: { amount: 10, note: '' } })
  const [mine, other] = [String(own.data?.referenceId), await service.announceDeposit('10')]
  const admin = await signedIn(service, 'admin@example.com', ADMIN)
  const id = await importedAndRead(admin, csvOf([{ reference: mine }, { reference: other }]))
  expect(await statusesOf(id)).toEqual(['ready', 'ready'])
  await confirmForTest(admin, id)
  expect(await statusesOf(id)).toEqual(['refused', 'done'])
  expect((await pageOf(id)).lines[0]?.note).toContain('The recipient cannot confirm their own deposit')
  expect(await sent()).toBe(before + 1)
})

test('tells a finished run from the lookup before it', async ({ operator, readyStatement }) => {
  const { id } = await readyStatement(1)
  const { run, ...looked } = (await pageOf(id)).work
  await confirmForTest(operator, id)
  const summary = expect.objectContaining({ confirmed: 1, sum: '10.00' })
  expect((await pageOf(id)).work).toEqual({ ...looked, run: run + 1, summary })
})

test('a statement of many lines is one act, and no flood', async ({ operator, readyStatement }) => {
  const { id } = await readyStatement(61)
  await confirmForTest(operator, id)
  expect((await pageOf(id)).counts).toEqual({ done: 61 })
  expect(await hasRoom(await store(), operator.actor)).toBe(true)
})

test('what is confirmed is what was shown: when other lines are ready now, nothing starts', async ({
  operator,
  readyStatement,
}) => {
  const { id } = await readyStatement(2)
  const { seal } = (await pageOf(id)).ready
  await editLine(operator, id, 2, { act: 'bank-reference', bankReference: 'ANOTHER' })
  expect(await toItsEnd((detach) => startConfirming(operator, id, { seal, code: null }, detach))).toBe('changed')
  expect(await statusesOf(id)).toEqual(['ready', 'by-hand'])
})

test('it stops when somebody asks, and goes on where it stopped', async ({
  service,
  operator,
  readyStatement,
  sent,
}) => {
  const before = await sent()
  const { id } = await readyStatement(4)
  const { seal } = (await pageOf(id)).ready
  await service.fault('POST', CONFIRM, 'hold', 1)
  await toItsEnd(async (detach) => {
    const started = await startConfirming(operator, id, { seal, code: null }, detach)
    await service.held(1)
    await stopWork(id, (await pageOf(id)).work.run)
    await service.clearFaults()
    return started
  })
  expect(await statusesOf(id)).toEqual(['done', 'ready', 'ready', 'ready'])
  expect((await pageOf(id)).work).toMatchObject({ work: null, ended: 'Stopped after 1 of 4.' })
  await confirmForTest(operator, id)
  expect((await pageOf(id)).counts).toEqual({ done: 4 })
  await expect.poll(sent).toBe(before + 4)
})

test('two operators at one statement: one runs it, the other is told', async ({
  service,
  operator,
  readyStatement,
  sent,
}) => {
  const before = await sent()
  const admin = await signedIn(service, 'admin@example.com', ADMIN)
  const { id } = await readyStatement(3)
  const starts = await Promise.all([confirmForTest(operator, id), confirmForTest(admin, id)])
  expect(starts.filter((one) => one === 'started')).toHaveLength(1)
  expect((await pageOf(id)).counts).toEqual({ done: 3 })
  await expect.poll(sent).toBe(before + 3)
})

test('resumes a dead process’s run without sending twice', async ({ operator, readyStatement, sent }) => {
  const before = await sent()
  const { id, references } = await readyStatement(2)
  const kind = kindNamed('deposit.confirm')!
  const params = { referenceId: references[0], bankReference: 'LEFT', statementAmount: '10.00' }
  const left = await draftCommand(operator, kind, params, { batch: 'a run that is gone' })
  if (!left.ok) throw new Error('no draft')
  const db = await store()
  await changeLine(db, { statementId: id, number: 1 }, { command_id: left.draft.id })
  const place = { work: 'confirm', token: 'gone', boot: 'gone', by: 'gone', total: 2, alone: true, look: null } as const
  await beginWork(db, id, place)
  await db.updateTable('statement').set({ work_until: 0 }).where('id', '=', id).execute()
  expect((await pageOf(id)).work.cutOff).toBe(true)
  await confirmForTest(operator, id)
  expect(await statusesOf(id)).toEqual(['done', 'done'])
  expect((await findCommand(db, left.draft.id))?.state).toBe('closed')
  await expect.poll(sent).toBe(before + 2)
})

test('a living run of another process keeps its place', async ({ operator, readyStatement }) => {
  const { id } = await readyStatement(1)
  const place = {
    work: 'confirm',
    token: 'other',
    boot: bootId(),
    by: 'somebody',
    total: 1,
    alone: true,
    look: null,
  } as const
  expect(await beginWork(await store(), id, place)).toBe(2)
  expect(await confirmForTest(operator, id)).toBe('busy')
  expect(await statusesOf(id)).toEqual(['ready'])
})

test('an answer that was lost is not known yet, and the line is never sent again', async ({
  service,
  operator,
  readyStatement,
  sent,
}) => {
  const before = await sent()
  const { id } = await readyStatement(2)
  await service.fault('POST', CONFIRM, 'drop-before', 1)
  await confirmForTest(operator, id)
  expect(await statusesOf(id)).toEqual(['open', 'done'])
  expect(await confirmForTest(operator, id)).toBe('changed')
  expect(await editLine(operator, id, 1, { act: 'look' })).toMatch(/confirmation was sent/)
  await expect.poll(sent).toBe(before + 2)
})

test('stops after four payments in a row without an outcome', async ({ service, operator, readyStatement, sent }) => {
  const before = await sent()
  const { id } = await readyStatement(12)
  await service.fault('POST', CONFIRM, { status: 503 }, 100)
  await confirmForTest(operator, id)
  expect((await pageOf(id)).counts).toEqual({ open: 4, ready: 8 })
  const ended = /^Stopped at line 4: the service gave no outcome for 4 payments in a row/
  expect((await pageOf(id)).work).toMatchObject({ done: 4, ended: expect.stringMatching(ended) })
  await expect.poll(sent).toBe(before + 4)
})

test('ends after four payments without an outcome and no more', async ({ service, operator, readyStatement }) => {
  const { id } = await readyStatement(4)
  await service.fault('POST', CONFIRM, { status: 503 }, 100)
  await confirmForTest(operator, id)
  expect((await pageOf(id)).work).toMatchObject({ done: 4, ended: '' })
})

test('counts only payments in a row without an outcome', async ({ service, operator, readyStatement }) => {
  const { id } = await readyStatement(8)
  await service.fault('POST', CONFIRM, { status: 503 }, 3)
  await service.fault('POST', CONFIRM, { delayMs: 0 })
  await service.fault('POST', CONFIRM, { status: 503 }, 3)
  await confirmForTest(operator, id)
  expect((await pageOf(id)).counts).toEqual({ open: 6, done: 2 })
})

test.for([
  { status: 403, title: 'operator@example.com is not permitted to do this' },
  { status: 423, title: 'Locked' },
  { status: 503, code: 'core::gatekeeper::grant::invalid', title: 'Verification is not available right now' },
])(
  'stops at refusal $status and leaves every line ready',
  async (refusal, { service, operator, readyStatement, sent }) => {
    const before = await sent()
    const { id } = await readyStatement(12)
    await service.fault('POST', CONFIRM, refusal, 100)
    await confirmForTest(operator, id)
    expect((await pageOf(id)).counts).toEqual({ ready: 12 })
    expect((await pageOf(id)).work).toMatchObject({ done: 0, ended: `Stopped at line 1: ${refusal.title}` })
    await expect.poll(sent).toBe(before + 1)
  },
)

test('a line that the service refused says why, and is tried anew only when a person takes it up', async ({
  service,
  operator,
  readyStatement,
}) => {
  const { id } = await readyStatement(2)
  await service.fault('POST', CONFIRM, { status: 409, code: 'core::conflict', title: 'Not now' }, 1)
  await confirmForTest(operator, id)
  expect(await statusesOf(id)).toEqual(['refused', 'done'])
  expect((await pageOf(id)).lines[0]?.outcome).toMatchObject({ class: 'refused', sent: true, title: 'Not now' })
  await editLine(operator, id, 1, { act: 'look' })
  await confirmForTest(operator, id)
  expect((await pageOf(id)).counts).toEqual({ done: 2 })
})

test('a deposit that moved meanwhile is not sent, and its line says so', async ({
  service,
  operator,
  readyStatement,
}) => {
  const { id, references } = await readyStatement(2)
  const { accessToken } = await service.login('operator@example.com')
  const body = { referenceId: references[0], bankReference: 'ELSEWHERE' }
  await service.call('POST', CONFIRM, { token: accessToken, body })
  await confirmForTest(operator, id)
  expect(await statusesOf(id)).toEqual(['refused', 'done'])
  expect((await pageOf(id)).lines[0]?.note).toMatch(/Only a queued deposit can be confirmed/)
})

test('a refused deposit leaves a line that was edited meanwhile', async ({
  service,
  operator,
  admin,
  readyStatement,
}) => {
  const { id, references } = await readyStatement(1)
  const { seal } = (await pageOf(id)).ready
  const reference = await service.announceDeposit('10')
  await service.fault('GET', READ, 'hold')
  await toItsEnd(async (detach) => {
    await startConfirming(operator, id, { seal, code: null }, detach)
    await service.held(1)
    await editLine(admin, id, 1, { act: 'reference', reference })
    const { accessToken: token } = await service.login('operator@example.com')
    const body = { referenceId: references[0], bankReference: 'ELSEWHERE' }
    await service.call('POST', CONFIRM, { token, body })
    await service.clearFaults()
  })
  expect((await pageOf(id)).lines[0]).toMatchObject({ status: 'by-hand', sought: reference, note: null })
})

test('a missing deposit leaves a line that was edited meanwhile', async ({
  service,
  operator,
  admin,
  readyStatement,
}) => {
  const { id } = await readyStatement(1)
  const line = await findLine(await store(), id, 1)
  await editLine(admin, id, 1, { act: 'reference', reference: await service.announceDeposit('10') })
  await service.fault('GET', READ, { status: 404 })
  const why = 'Someone has changed this line. Check it again.'
  expect(await draftLine(operator, line!)).toEqual({ ok: false, why, hopeless: false })
  expect(await statusesOf(id)).toEqual(['by-hand'])
})

test('when the session ends the run stops; the next person goes on with it', async ({
  service,
  operator,
  readyStatement,
}) => {
  const { id } = await readyStatement(3)
  const { seal } = (await pageOf(id)).ready
  await endSession(operator.id, 'refused')
  await toItsEnd((detach) => startConfirming(operator, id, { seal, code: null }, detach))
  expect(await statusesOf(id)).toEqual(['ready', 'ready', 'ready'])
  expect((await pageOf(id)).work.ended).toBe('Stopped at line 1: the session of operator@example.com has ended')
  await confirmForTest(await signedIn(service, 'admin@example.com', ADMIN), id)
  expect((await pageOf(id)).counts).toEqual({ done: 3 })
})

test('one bank reference confirms one line, in whichever statement', async ({ service, operator }) => {
  const [first, second] = [await service.announceDeposit('10'), await service.announceDeposit('10')]
  const one = await importedAndRead(operator, csvOf([{ reference: first, bank: `B ${first}` }]))
  await confirmForTest(operator, one)
  const two = await importedAndRead(operator, csvOf([{ reference: second, bank: `b  ${first}` }]))
  expect((await pageOf(two)).lines[0]).toMatchObject({ status: 'mismatched', hold: 'bank-reference-taken' })
})

test('confirms a line without effect again, no other deposit', async ({ service, operator }) => {
  const [reference, other] = [await service.announceDeposit('10'), await service.announceDeposit('10')]
  const id = await importedAndRead(operator, csvOf([{ reference, bank: 'NB-1' }]))
  await service.fault('POST', CONFIRM, 'drop-before')
  await confirmForTest(operator, id)
  await reconcileCommand(operator, await sentSecondsAgo((await pageOf(id)).lines[0]?.commandId ?? '', 121))
  expect((await pageOf(id)).lines[0]).toMatchObject({ status: 'refused', outcome: { class: 'no-effect' } })
  await editLine(operator, id, 1, { act: 'look' })
  const two = await importedAndRead(operator, csvOf([{ reference: other, bank: 'NB-1' }, {}]))
  await editLine(operator, id, 1, { act: 'set-aside', reason: 'Looked at' })
  expect((await pageOf(two)).lines[0]?.hold).toBe('bank-reference-taken')
  await editLine(operator, id, 1, { act: 'put-back', reason: '' })
  expect(await statusesOf(id)).toEqual(['ready'])
  await confirmForTest(operator, id)
  expect(await statusesOf(id)).toEqual(['done'])
  expect(await statusesOf(two)).toEqual(['mismatched', 'unknown'])
})
