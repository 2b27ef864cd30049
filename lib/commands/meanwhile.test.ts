import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { commandHistory } from '#lib/activity/history.ts'
import { homeChanges, openChanges } from '#lib/activity/open-changes.ts'
import { putPerProcess } from '#lib/config/per-process.ts'
import type { Session } from '#lib/session/session.ts'
import {
  CONFIRM,
  CONFIRMED,
  type Deposit,
  draftForTest,
  executeForTest,
  newDeposit,
} from '#lib/testing/gated-deposit.ts'
import { ok, ScriptedService } from '#lib/testing/scripted-service.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { openForTest, signInForTest } from '#lib/testing/test-sessions.ts'
import type { CommandView } from './command.ts'
import { readCommand } from './reconcile.ts'
import { watches } from './reconcile-schedule.ts'

const scopesOf = (userId: string) => `GET /api/v1/Users/${userId}/scopes`
const MAY = ok({ roles: [], scopes: ['transactions:read', 'transactions:confirm'] })

let service: ScriptedService
let operator: Session
let colleague: Session
let deposit: Deposit

beforeAll(async () => {
  service = await ScriptedService.start()
})
beforeEach(async () => {
  service.reset()
  await freshConsole({ CORE_API_URL: service.url })
  watches().clear()
  putPerProcess('scopes', undefined)
  service.on(scopesOf('1'), MAY)
  service.on(scopesOf('2'), MAY)
  operator = await person('1', 'operator@example.com')
  colleague = await person('2', 'colleague@example.com')
  deposit = newDeposit()
  service.on(deposit.read, deposit.in('QUEUED'))
})
afterAll(() => service.stop())

async function person(userId: string, displayName: string, method: 'sso' | 'password' = 'sso'): Promise<Session> {
  return await openForTest(await signInForTest({ actor: `sso:${userId}`, userId, displayName, method }))
}

const draftAs = (session: Session, { referenceId } = deposit): Promise<string> =>
  draftForTest(session, 'deposit.confirm', { referenceId, bankReference: randomUUID(), statementAmount: '250' })

async function confirmAs(session: Session, of = deposit): Promise<string> {
  service.on(CONFIRM, CONFIRMED)
  const id = await draftAs(session, of)
  await executeForTest(session, id)
  return id
}

/** The draft goes out, and the deposit is in another state by then. */
async function stopped(id: string) {
  service.on(deposit.read, deposit.in('PROCESSING'))
  const { command } = await executeForTest(operator, id)
  expect(command.outcome.class).toBe('changed')
  return command.meanwhile
}

test('what a colleague changed since the look is named, with who and when, to whoever may see their changes', async () => {
  const draft = await draftAs(operator)
  const theirs = await confirmAs(colleague)
  const meanwhile = await stopped(draft)
  expect(meanwhile).toMatchObject({
    changes: [{ id: theirs, actorName: 'colleague@example.com', sure: true }],
    hidden: 0,
  })
  const again = await readCommand(operator, draft, false)
  expect(again).toMatchObject({ ok: true, command: { meanwhile } })
})

test('one’s own in another tab is one’s own, also where the sign-in was another way', async () => {
  const first = await draftAs(operator)
  await confirmAs(operator)
  expect(await stopped(first)).toMatchObject({ changes: [{ actorName: 'you' }] })
  deposit = newQueued()
  const draft = await draftAs(operator)
  await confirmAs(await person('1', 'Olga Operator', 'password'))
  expect(await stopped(draft)).toMatchObject({ changes: [{ actorName: 'you, with another sign-in' }] })
})

test('where the journal has nothing of the object, nobody here is named', async () => {
  await confirmAs(colleague, newQueued())
  const draft = await draftAs(operator)
  await confirmAs(colleague, newQueued())
  expect(await stopped(draft)).toEqual({ changes: [], hidden: 0 })
})

test('one whose end is not known is told as such', async () => {
  const draft = await draftAs(operator)
  const theirs = await draftAs(colleague)
  service.on(CONFIRM, 'drop')
  await executeForTest(colleague, theirs)
  expect(await stopped(draft)).toMatchObject({ changes: [{ id: theirs, sure: false }] })
})

test('whoever may not see a change learns that there is one, and no name', async () => {
  const draft = await draftAs(operator)
  await confirmAs(colleague)
  putPerProcess('scopes', undefined)
  service.on(scopesOf('1'), ok({ roles: [], scopes: ['transactions:read'] }))
  expect(await stopped(draft)).toEqual({ changes: [], hidden: 1 })
})

test('a change of one’s own reads as that wherever it is listed, however one signed in', async () => {
  service.on(CONFIRM, 'drop')
  const id = await draftAs(await person('1', 'Olga Operator', 'password'))
  await executeForTest(await person('1', 'Olga Operator', 'password'), id)
  const words = 'you, with another sign-in'
  const mine = (command: CommandView) => command.id === id
  expect((await openChanges(operator)).seen.find(mine)).toMatchObject({ actorName: words })
  expect((await homeChanges(operator)).lately.changes.find(mine)).toMatchObject({ actorName: words })
  expect((await commandHistory(operator, id))?.command).toMatchObject({ actorName: words, yours: true })
  expect((await openChanges(colleague)).seen.find(mine)).toMatchObject({ actorName: 'Olga Operator' })
})

function newQueued(): Deposit {
  const other = newDeposit()
  service.on(other.read, other.in('QUEUED'))
  return other
}
