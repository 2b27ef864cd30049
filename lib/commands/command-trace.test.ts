import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { putPerProcess } from '#lib/config/per-process.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { inSpan, tracing } from '#lib/telemetry/spans.ts'
import { startTracing } from '#lib/telemetry/tracing.ts'
import { draftOf } from '#lib/testing/command-run.ts'
import { CONFIRM, type Deposit, executeForTest, newDeposit } from '#lib/testing/gated-deposit.ts'
import { commandOrFail } from '#lib/testing/passed-time.ts'
import { ok, ScriptedService } from '#lib/testing/scripted-service.ts'
import { signedIn } from '#lib/testing/signed-in.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { startTraceCollector } from '#lib/testing/trace-collector.ts'
import { reconcileCommand } from './reconcile.ts'
import { watches } from './reconcile-schedule.ts'

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

/** A request of the browser, with a trace of its own. */
const asRequest = <Result>(work: () => Promise<Result>) =>
  inSpan({ name: 'request', kind: 'server', attributes: {}, parent: null }, work)

async function draft(): Promise<string> {
  const params = { referenceId: deposit.referenceId, bankReference: `ATL ${randomUUID()}`, statementAmount: '250' }
  const drafted = await draftOf(operator, 'deposit.confirm', params)
  if (!drafted.ok) throw new Error(JSON.stringify(drafted))
  return drafted.draft.id
}

test('a command is one trace from its draft to a look after a restart, beside those of the requests', async () => {
  const collector = await startTraceCollector()
  startTracing(collector.url)
  const id = await asRequest(draft)
  service.on(CONFIRM, 'drop')
  await asRequest(() => executeForTest(operator, id))
  // As another process: nothing but what the store keeps is left of the trace.
  await tracing()?.end()
  startTracing(collector.url)
  service.on(deposit.read, deposit.in('PROCESSING'))
  const { command } = await reconcileCommand(operator, await commandOrFail(id))
  await tracing()?.end()
  putPerProcess('tracing', undefined)
  expect(command.state).toBe('applied')
  const spans = collector.spans()
  const root = spans.find(({ name }) => name === 'command draft')
  const of = (trace: string | undefined) => spans.filter(({ traceId }) => traceId === trace).map(({ name }) => name)
  expect(of(root?.traceId)).toEqual(
    expect.arrayContaining([
      'command draft',
      'command execute',
      'command send',
      'command settle',
      'POST /api/v1/Transaction/deposit/confirm',
      'command reconcile',
      'GET /api/v1/Transaction/{referenceId}',
    ]),
  )
  const ends = spans.filter(({ name }) => name === 'command settle')
  expect(ends.map(({ attributes }) => attributes['console.command.state'])).toEqual(['unknown', 'applied'])
  const requests = spans.filter(({ name }) => name === 'request')
  expect(requests.map(({ traceId }) => of(traceId))).toEqual([['request'], ['request']])
  expect(root?.links?.map(({ traceId }) => traceId)).toEqual([requests[0]?.traceId])
  const secrets = [operator.userId, operator.displayName, deposit.referenceId, id, 'access-0']
  for (const secret of secrets.filter((one) => one.length > 2)) expect(collector.text()).not.toContain(secret)
  await collector.stop()
})

test('where no traces are made a command keeps none', async () => {
  const id = await draft()
  const row = await (await store()).selectFrom('command').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  expect(row.traceparent).toBeNull()
})

test('each state that a change comes into is counted once, and a look that moves nothing is not', async () => {
  const counted: string[] = []
  putPerProcess('meters', {
    serviceCall: () => {},
    command: (kind: string, state: string) => counted.push(`${kind} ${state}`),
  })
  const id = await draft()
  service.on(CONFIRM, 'drop')
  await executeForTest(operator, id)
  for (const state of ['QUEUED', 'QUEUED', 'PROCESSING']) {
    service.on(deposit.read, deposit.in(state))
    await reconcileCommand(operator, await commandOrFail(id))
  }
  putPerProcess('meters', undefined)
  expect(counted).toEqual(['draft', 'sent', 'unknown', 'applied'].map((state) => `deposit.confirm ${state}`))
})
