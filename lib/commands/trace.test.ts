import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { putPerProcess } from '#lib/config/per-process.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { draftOf } from '#lib/testing/command-run.ts'
import { CONFIRM, type Deposit, executeForTest, newDeposit } from '#lib/testing/gated-deposit.ts'
import { commandOrFail } from '#lib/testing/passed-time.ts'
import { ok, refused, type Scripted, ScriptedService } from '#lib/testing/scripted-service.ts'
import { signedIn } from '#lib/testing/signed-in.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { reconcileCommand } from './reconcile.ts'
import { watches } from './reconcile-schedule.ts'
import { moveCommand } from './store.ts'
import { viewOf } from './view.ts'

const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00'

let service: ScriptedService
let operator: Session
let deposit: Deposit

beforeAll(async () => {
  service = await ScriptedService.start()
})
beforeEach(async () => {
  service.reset()
  await freshConsole({ CORE_API_URL: service.url })
  watches().clear()
  putPerProcess('scopes', undefined)
  service.on('GET /api/v1/Users/1/scopes', ok({ roles: [], scopes: ['transactions:read', 'transactions:confirm'] }))
  operator = await signedIn(0)
  deposit = newDeposit()
  service.on(deposit.read, deposit.in('QUEUED'))
})
afterAll(() => service.stop())

async function confirmed(answer: Scripted) {
  service.on(CONFIRM, answer)
  const bankReference = `ATL ${randomUUID()}`
  const params = { referenceId: deposit.referenceId, bankReference, statementAmount: '250' }
  const drafted = await draftOf(operator, 'deposit.confirm', params)
  if (!drafted.ok) throw new Error(JSON.stringify(drafted))
  const reply = await executeForTest(operator, drafted.draft.id)
  if (!reply.ok) throw new Error(JSON.stringify(reply))
  return reply.command
}

const body = (more: object, headers: Readonly<Record<string, string>> = {}): Scripted => ({
  status: 200,
  body: ({ referenceId }: { readonly referenceId: string }) => ({
    data: { referenceId, state: 'PROCESSING', message: '', accepted: false },
    ...more,
  }),
  headers,
})

test.each<[string, Scripted, string | null]>([
  ['beside its data', body({ traceId: TRACE }), TRACE],
  ['in the header of W3C Trace Context', body({}, { traceresponse: TRACE }), TRACE],
  ['nowhere', body({}), null],
  ['as something that is no text', body({ traceId: { id: TRACE } }), null],
  ['longer than any is', body({ traceId: 'x'.repeat(201) }), null],
  ['with what the store cannot hold', body({ traceId: 'a\0b' }), null],
])('a change that is done has the trace id that its answer tells: %s', async (_where, answer, traceId) => {
  expect(await confirmed(answer)).toMatchObject({ outcome: { class: 'done' }, traceId })
})

test('a refusal has its own', async () => {
  const command = await confirmed(refused(409, 'core::kineto::deposit::confirm::fail'))
  expect(command).toMatchObject({ outcome: { class: 'refused' }, traceId: 'trace-of-the-script' })
})

test('what is found done by reading keeps the trace id of the answer that did not tell', async () => {
  const { id, traceId } = await confirmed(refused(500, 'core::broken'))
  expect(traceId).toBe('trace-of-the-script')
  service.on(deposit.read, deposit.in('PROCESSING'))
  const { command } = await reconcileCommand(operator, await commandOrFail(id))
  expect(viewOf(command)).toMatchObject({ outcome: { class: 'done' }, traceId: 'trace-of-the-script' })
})

test('a command that goes out again has nothing of the answer before', async () => {
  const { id } = await confirmed(refused(500, 'core::broken'))
  const again = await moveCommand(await store(), id, { from: ['unknown'], to: 'sent', note: { again: true } })
  expect(again?.trace_id).toBeNull()
})
