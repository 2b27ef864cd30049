import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { endpoints } from '#lib/contract/endpoints.ts'
import { PROBLEM_CONTENT_TYPE } from '#lib/contract/problem.ts'
import { lookUp } from '#lib/look-up/look-up.ts'
import { refused, type Scripted, ScriptedService } from '#lib/testing/scripted-service.ts'
import { signedIn } from '#lib/testing/signed-in.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { csvOf, importedAndRead, pageOf } from '#lib/testing/test-statement.ts'
import { TokenEndpoint } from '#lib/testing/token-endpoint.ts'
import { readTransaction } from '#lib/transactions/transaction-service.ts'
import { read } from './client.ts'

let tokens: TokenEndpoint

beforeAll(async () => {
  tokens = await TokenEndpoint.start()
})
beforeEach(async () => {
  tokens.reset()
  await freshConsole({ OIDC_ISSUER: tokens.issuer, CORE_API_URL: tokens.url })
})
afterAll(() => tokens.stop())

test.each([
  ['sso', 'sign-on-out'],
  ['password', 'unreachable'],
] as const)('whoever renews tokens (%s) is what cannot be reached, when it is out', async (method, kind) => {
  tokens.answer = { status: 503 }
  const session = await signedIn(1.1, method)
  expect(await read(session, endpoints.users.scopes, { id: '1' })).toMatchObject({ ok: false, problem: { kind } })
})

describe('an answer of a gateway', () => {
  const READ = 'GET /api/v1/Transaction/DEP-1'
  const page = (status: number): Scripted => ({
    status,
    body: '<html>default backend</html>',
    headers: { 'content-type': 'text/html' },
  })
  let service: ScriptedService

  beforeAll(async () => {
    service = await ScriptedService.start()
  })
  beforeEach(async () => {
    service.reset()
    await freshConsole({ OIDC_ISSUER: tokens.issuer, CORE_API_URL: service.url })
  })
  afterAll(() => service.stop())

  test.each([
    ...[302, 400, 403, 404, 405].map(page),
    { status: 404, body: { message: 'no Route matched' } },
    { status: 404, body: undefined },
    { status: 302, body: undefined },
    { status: 403, body: 'blocked', headers: { 'content-type': 'text/plain' } },
  ])('is no answer of the service: %j', async (answer) => {
    service.on(READ, answer)
    const problem = { kind: 'unreadable', status: null, code: null, scope: null }
    expect(await readTransaction(await signedIn(0), 'DEP-1')).toMatchObject({ ok: false, problem })
  })

  test.each<[what: string, answer: Scripted, status: number, code: string | null]>([
    ['a problem', refused(404, 'core::none'), 404, 'core::none'],
    ['no type', { status: 404, body: {}, headers: { 'content-type': PROBLEM_CONTENT_TYPE } }, 404, null],
    ['no body', { status: 403, body: undefined }, 403, null],
  ])('leaves the service its refusal: %s', async (_what, answer, status, code) => {
    service.on(READ, answer)
    const problem = { kind: 'service', status, code }
    expect(await readTransaction(await signedIn(0), 'DEP-1')).toMatchObject({ ok: false, problem })
  })

  test('shows the detail of a problem without a title', async () => {
    const body = { type: 'urn:ocs:error:core::none', detail: 'The account is closed' }
    service.on(READ, { status: 409, body, headers: { 'content-type': PROBLEM_CONTENT_TYPE } })
    const problem = { kind: 'service', title: 'The account is closed' }
    expect(await readTransaction(await signedIn(0), 'DEP-1')).toMatchObject({ ok: false, problem })
  })

  test('renews the token and ends the session at 401', async () => {
    service.on(READ, page(401))
    const problem = { kind: 'session-over' }
    expect(await readTransaction(await signedIn(0), 'DEP-1')).toMatchObject({ ok: false, problem })
    expect([tokens.refreshes, service.of(READ).length]).toEqual([1, 2])
  })

  test('fails a look-up', async () => {
    service.on(READ, page(404))
    const frames = await Array.fromAsync(lookUp(await signedIn(0), 'DEP-1'))
    expect(frames.find((frame) => 'source' in frame && frame.source === 'transactions')).toMatchObject({
      kind: 'failed',
      problem: { kind: 'unreadable' },
    })
  })

  test('ends the look-up of a statement', async () => {
    const references = Array.from({ length: 9 }, (_, at) => `DEP-${at}`)
    for (const reference of references) service.on(`GET /api/v1/Transaction/${reference}`, page(404))
    const id = await importedAndRead(await signedIn(0), csvOf(references.map((reference) => ({ reference }))))
    const { counts, work } = await pageOf(id)
    expect(counts).not.toHaveProperty('unknown')
    expect(work.ended).toContain('The rest was not looked up.')
  })
})
