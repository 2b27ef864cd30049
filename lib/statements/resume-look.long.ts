import { beforeEach, expect, test } from 'vitest'
import { perProcess, putPerProcess } from '#lib/config/per-process.ts'
import { endSession } from '#lib/session/end-session.ts'
import { addLiveSession, removeLiveSession } from '#lib/session/live-sessions.ts'
import type { Session } from '#lib/session/session.ts'
import { deleteSession } from '#lib/session/vault/session-table.ts'
import { store } from '#lib/store/store.ts'
import { freshWorld, type TestService } from '#lib/testing/test-service.ts'
import { signedIn } from '#lib/testing/test-session.ts'
import { csvOf, importForTest, pageOf, statusesOf, toItsEnd } from '#lib/testing/test-statement.ts'
import { resumeLookingUp, startMatching } from './match-lines.ts'
import { endStatementWork, stopWork } from './work.ts'

const OPERATOR = '00000000-0000-4000-8000-000000000001'
const LINES = 8
/** These are under way when it ends. */
const AT_ONCE = 4

let service: TestService
let operator: Session
let references: string[]
let id: string

const pathOf = (reference: string): string => `/api/v1/Transaction/${encodeURIComponent(reference)}`
const reads = () => Promise.all(references.map((reference) => service.arrived('GET', pathOf(reference))))
const workOf = async () => (await pageOf(id)).work
const unread = async () => (await statusesOf(id)).filter((status) => status === 'unread').length

beforeEach(async () => {
  service = await freshWorld()
  operator = await signedIn(service, 'operator@example.com', OPERATOR)
  references = []
  for (let n = 0; n < LINES; n += 1) references.push(await service.announceDeposit('10'))
  id = await importForTest(operator, csvOf(references.map((reference) => ({ reference }))))
})

/** One fewer as soon as its request has arrived. */
const faultsWaiting = async () =>
  ((await service.call('GET', '/sandbox/faults')) as unknown as { faults: readonly unknown[] }).faults.length

/** Looks up until the first lines are under way; `end` then ends it. */
async function lookUpUntil(end: () => Promise<unknown>, scope: 'unread' | 'all' = 'unread'): Promise<void> {
  for (const reference of references.slice(0, AT_ONCE)) {
    await service.fault('GET', pathOf(reference), { delayMs: 300 }, 1)
  }
  await toItsEnd(async (detach) => {
    await startMatching(operator, id, detach, scope)
    await expect.poll(faultsWaiting, { interval: 20 }).toBe(0)
    await end()
  })
}

/** As after a kill: nobody keeps the lease, which is over, and the process that had it writes no more. */
const kill = async () =>
  (await store()).updateTable('statement').set({ work_token: 'gone', work_until: 0 }).where('id', '=', id).execute()

async function resumeToItsEnd(): Promise<void> {
  await resumeLookingUp()
  await endStatementWork()
}

test.each(['unread', 'all'] as const)(
  'a killed look at lines (%s) is gone on with; no line is read twice',
  async (scope) => {
    await lookUpUntil(kill, scope)
    expect(await unread()).toBeGreaterThan(0)
    expect(await workOf()).toMatchObject({ work: null, cutOff: true, goesOn: true })
    await Promise.all([resumeLookingUp(), resumeLookingUp()])
    await endStatementWork()
    expect(await unread()).toBe(0)
    expect(await workOf()).toMatchObject({ work: null, cutOff: false, ended: '', done: LINES, total: LINES, run: 1 })
    expect(await reads()).toEqual(references.map(() => 1))
  },
)

test('hands the lookup to another process when it stops', async () => {
  const before = perProcess('stop', () => undefined)
  try {
    await lookUpUntil(async () => putPerProcess('stop', { leaving: true, stopping: true, listeners: new Set() }))
    await resumeToItsEnd()
    expect(await unread()).toBeGreaterThan(0)
    expect((await workOf()).work).toBe('look')
  } finally {
    putPerProcess('stop', before)
  }
  await resumeToItsEnd()
  expect(await reads()).toEqual(references.map(() => 1))
  expect((await workOf()).ended).toBe('')
})

test('it waits for its person while this process has not opened their session', async () => {
  await lookUpUntil(kill)
  removeLiveSession(operator.id)
  await resumeToItsEnd()
  expect(await unread()).toBeGreaterThan(0)
  expect(await workOf()).toMatchObject({ cutOff: true, goesOn: true })
  addLiveSession(operator)
  await resumeToItsEnd()
  expect(await unread()).toBe(0)
})

test.each([
  ['has signed out', async () => endSession(operator.id, 'signed-out')],
  // This process has not been told of it yet.
  ['has ended elsewhere', async () => deleteSession(await store(), operator.id, 'idle')],
])('whose session %s is told so, and can look the rest up with another one', async (_how, end) => {
  await lookUpUntil(kill)
  await end()
  await resumeToItsEnd()
  expect(await unread()).toBeGreaterThan(0)
  expect(await workOf()).toMatchObject({
    work: null,
    cutOff: false,
    ended: 'The session of operator@example.com has ended. Look up the rest again.',
  })
  const again = await signedIn(service, 'operator@example.com', OPERATOR)
  await toItsEnd((detach) => startMatching(again, id, detach))
  expect(await reads()).toEqual(references.map(() => 1))
})

test('a session that ends while its look goes on is told as ended', async () => {
  await lookUpUntil(() => endSession(operator.id, 'signed-out'))
  expect((await workOf()).ended).toMatch(/^The session of operator@example.com has ended/)
})

test('what somebody asked to stop before the kill stays stopped', async () => {
  await lookUpUntil(async () => {
    await stopWork(id, (await workOf()).run)
    await kill()
  })
  await resumeToItsEnd()
  expect(await unread()).toBeGreaterThan(0)
  expect(await workOf()).toMatchObject({ cutOff: false, ended: 'Stopped.' })
})
