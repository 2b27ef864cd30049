import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { activityPage } from '#lib/activity/activity.ts'
import { fileWriters } from '#lib/activity/activity-file.ts'
import { ALL_ACTIVITY } from '#lib/activity/activity-filter.ts'
import { commandHistory } from '#lib/activity/history.ts'
import { CHANGES_STOPPED } from '#lib/contract/problem-of.ts'
import { findEvents } from '#lib/journal/event.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import {
  CONFIRM,
  type Deposit,
  draftConfirmation,
  executeForTest,
  newDeposit,
  scriptGoodDay,
} from '#lib/testing/gated-deposit.ts'
import { ScriptedService } from '#lib/testing/scripted-service.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { openForTest, signInForTest } from '#lib/testing/test-sessions.ts'
import { commandStateWords } from './command.ts'
import { sendAtOnce } from './execute.ts'
import { type AnyCommand, kindNamed } from './kind.ts'
import { draftCommand, withdrawCommand } from './prepare.ts'

const CANCELLED = 'Cancelled by its author'

let service: ScriptedService
let session: Session
let deposit: Deposit

beforeAll(async () => {
  service = await ScriptedService.start()
})
beforeEach(async () => {
  service.reset()
  await freshConsole({ CORE_API_URL: service.url })
  session = await openForTest(await signInForTest())
  deposit = newDeposit()
  scriptGoodDay(service, deposit)
})
afterAll(() => service.stop())

test('tells a cancelled draft as cancelled by its author', async () => {
  const id = await draftConfirmation(session, deposit)
  expect(await withdrawCommand(session, id)).toMatchObject({
    command: { outcome: { class: 'cancelled', title: CANCELLED } },
  })
  const last = (await commandHistory(session, id))?.events.at(-1)
  expect(last).toMatchObject({ state: 'cancelled', by: `you (${session.displayName})`, notes: [] })
  expect(commandStateWords(last?.state ?? '').word).toBe(CANCELLED)
  const { rows } = await activityPage(session, { ...ALL_ACTIVITY, outcome: 'cancelled' }, { page: 1, size: 20 })
  expect(rows.map((row) => row.id)).toEqual([id])
  expect(fileWriters.csv.rows(rows, true)).toContain(`,cancelled,${CANCELLED},`)
  expect(await activityPage(session, { ...ALL_ACTIVITY, outcome: 'not-done' }, { page: 1, size: 20 })).toMatchObject({
    total: 0,
  })
})

test('journals who cancelled a draft', async () => {
  const id = await draftConfirmation(session, deposit)
  await withdrawCommand(session, id)
  const event = (await findEvents(await store(), id)).at(-1)
  expect(JSON.parse(event?.body ?? '')).toMatchObject({
    cancelled: true,
    by: session.actor,
    byName: session.displayName,
  })
})

test('a cancelled draft wakes only its author', async () => {
  const db = await store()
  const id = await draftConfirmation(session, deposit)
  await db.deleteFrom('news').execute()
  await withdrawCommand(session, id)
  const keys = (await db.selectFrom('news').select('key').execute()).map(({ key }) => key)
  expect(keys.sort()).toEqual([`command:${id}`, 'commands', `sent-by:${session.actor}`])
})

test('sends nothing after a draft was cancelled', async () => {
  const id = await draftConfirmation(session, deposit)
  await withdrawCommand(session, id)
  expect((await executeForTest(session, id)).command.outcome.class).toBe('cancelled')
  expect(service.of(CONFIRM)).toHaveLength(0)
})

test('does not call an unanswered confirmation cancelled', async () => {
  const id = await draftConfirmation(session, deposit)
  expect(await withdrawCommand(session, id, 'unanswered')).toMatchObject({
    command: { outcome: { class: 'refused', sent: false, title: expect.stringContaining('got no answer') } },
  })
  expect((await commandHistory(session, id))?.events.at(-1)).toMatchObject({ state: 'closed', by: null })
})

test('sends nothing while the witness disagrees, and keeps the draft', async () => {
  const db = await store()
  const id = await draftConfirmation(session, deposit)
  await db.updateTable('log_head').set({ conflict: 'another log' }).execute()
  const stopped = { ok: false, problem: { status: 503, code: CHANGES_STOPPED } }
  await expect(executeForTest(session, id)).rejects.toThrow(CHANGES_STOPPED)
  const { referenceId } = newDeposit()
  const params = { referenceId, bankReference: 'B-1', statementAmount: '250' }
  expect(await draftCommand(session, kindNamed('deposit.confirm')!, params)).toMatchObject(stopped)
  expect(service.of(CONFIRM)).toHaveLength(0)

  await db.updateTable('log_head').set({ conflict: '' }).execute()
  expect(await executeForTest(session, id)).toMatchObject({ ok: true })
})

test('cancels no change of another person', async () => {
  const id = await draftConfirmation(session, deposit)
  const other = await openForTest(await signInForTest({ actor: 'sso:2', userId: '2' }))
  expect(await withdrawCommand(other, id)).toMatchObject({ ok: false, problem: { status: 404 } })
  expect((await executeForTest(session, id)).command.outcome.class).toBe('done')
})

test('reads the facts again for a change stored earlier', async () => {
  const id = await draftConfirmation(session, deposit)
  service.on(deposit.read, deposit.in('FAIL'))
  const change = { id, kind: kindNamed('deposit.confirm')! as AnyCommand, params: {} }
  expect(await sendAtOnce(session, change, () => {})).toMatchObject({
    ok: true,
    command: { outcome: { class: 'changed' } },
  })
  expect(service.of(CONFIRM)).toHaveLength(0)
})

test('sends nothing while the facts are unreadable', async () => {
  const id = await draftConfirmation(session, deposit)
  service.on(deposit.read, { status: 500, body: {} })
  expect((await executeForTest(session, id)).command.outcome).toMatchObject({ class: 'refused', sent: false })
  expect(service.of(CONFIRM)).toHaveLength(0)
  service.on(deposit.read, deposit.in('QUEUED'))
  expect((await executeForTest(session, id)).command.outcome.class).toBe('done')
})
