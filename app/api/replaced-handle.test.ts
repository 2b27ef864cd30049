import { NextRequest } from 'next/server'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Entry, handlers } from '#lib/authorization/routes.ts'
import { HANDLE_REPLACED } from '#lib/contract/problem-of.ts'
import { endSession } from '#lib/session/end-session.ts'
import { openSession, rotateHandle } from '#lib/session/vault/vault.ts'
import { store } from '#lib/store/store.ts'
import { FailingStore } from '#lib/testing/failing-store.ts'
import {
  CONFIRM,
  type Deposit,
  draftConfirmation,
  draftForTest,
  ENROLLED,
  gateConfirming,
  NOT_ENROLLED,
  newDeposit,
  STATUS,
  scriptGoodDay,
  VERIFY,
} from '#lib/testing/gated-deposit.ts'
import { ok, ScriptedService } from '#lib/testing/scripted-service.ts'
import { freshConsole, testEnvironment } from '#lib/testing/test-console.ts'
import { openForTest, signInForTest } from '#lib/testing/test-sessions.ts'
import { GET as signedOut } from '../(auth)/signed-out/route.ts'
import { serveSession } from './answer.ts'
import { POST as execute, GET as look, DELETE as withdraw } from './commands/[id]/route.ts'
import { POST as upload } from './deposits/statements/route.ts'

const browser = vi.hoisted(() => ({ handle: '', given: [] as string[] }))
vi.mock('next/headers', () => ({
  cookies: async () => ({
    get: () => (browser.handle === '' ? undefined : { value: browser.handle }),
    set: (_name: string, value: string) => browser.given.push(value),
  }),
}))
vi.mock('next/server', async (actual) => ({ ...(await actual<object>()), after: (work: () => unknown) => work() }))

let service: ScriptedService
let deposit: Deposit

beforeAll(async () => {
  service = await ScriptedService.start()
})
beforeEach(async () => {
  service.reset()
  await freshConsole({ CORE_API_URL: service.url })
  gateConfirming('always', true)
  deposit = newDeposit()
  scriptGoodDay(service, deposit)
  browser.handle = await signInForTest()
  browser.given = []
})
afterEach(() => gateConfirming('never', false))
afterAll(() => service.stop())

const request = (method: string, path: string, body?: object) =>
  new Request(`${testEnvironment.NEXTAUTH_URL}${path}`, {
    method,
    headers: {
      'x-console': '1',
      'sec-fetch-site': 'same-origin',
      origin: testEnvironment.NEXTAUTH_URL ?? '',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

const about = (id: string) => ({ params: Promise.resolve({ id }) })
const draftNow = async () => draftConfirmation(await openForTest(browser.handle), deposit)
const stateOf = async (id: string) =>
  (await (await store()).selectFrom('command').select('state').where('id', '=', id).executeTakeFirstOrThrow()).state

const guarded = Object.entries(handlers).flatMap(([template, methods]) =>
  Object.entries(methods)
    .filter(([, entry]) => entry !== 'public')
    .map(([method, entry]): [string, string, Entry] => [method, template, entry as Entry]),
)
const READS = new Set(['/api/look-up', '/api/policy/rehearsal', '/api/stream', '/api/stream/poll', '/api/stream/[id]'])

test.each(guarded)('decides %s %s for a replaced handle', async (method, template) => {
  await rotateHandle(await openForTest(browser.handle))
  const serve = vi.fn(async () => Response.json({ ok: true }))
  const answer = await serveSession(request(method, template.replace(/\[[^\]]+\]/g, 'a')), serve)
  if (method === 'GET' || READS.has(template))
    return expect(await answer.json()).not.toMatchObject({ problem: { code: HANDLE_REPLACED } })
  expect(answer.status).toBe(401)
  expect(await answer.json()).toMatchObject({ problem: { kind: 'session-over', code: HANDLE_REPLACED } })
  expect(serve).not.toHaveBeenCalled()
})

test('“Signed out” is shown only without a live session', async () => {
  const answer = () => signedOut(new NextRequest(`${testEnvironment.NEXTAUTH_URL}/signed-out`))
  const session = await openForTest(browser.handle)
  expect((await answer()).headers.get('location')).toBe('/')
  await rotateHandle(session)
  expect((await answer()).headers.get('location')).toBe('/')
  const { failing, remove } = await FailingStore.install()
  const seen: [status: number, text: string][] = []
  const see = async (now: Response) => seen.push([now.status, await now.text()])
  await failing.live(1, 'before', async () => await see(await answer()))
  remove()
  expect(seen).toEqual([[503, expect.not.stringMatching(/You are signed out|Not signed in/)]])
  await endSession(session.id, 'signed-out')
  expect(await (await answer()).text()).toContain('You are signed out')
})

test('“Signed out” needs no store after a sign-out', async () => {
  browser.handle = ''
  const { failing, remove } = await FailingStore.install()
  const texts: string[] = []
  const url = `${testEnvironment.NEXTAUTH_URL}/signed-out`
  await failing.live(1, 'out', async () => texts.push(await (await signedOut(new NextRequest(url))).text()))
  remove()
  expect(texts).toEqual([expect.stringContaining('You are signed out')])
})

/** The test decides when the body arrives. */
function slowBody(text: string) {
  const { promise: bodyComes, resolve: sendBody } = Promise.withResolvers<void>()
  const { promise: opened, resolve: bodyIsRead } = Promise.withResolvers<void>()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        bodyIsRead()
        await bodyComes
        controller.enqueue(new TextEncoder().encode(text))
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  return { body, opened, sendBody }
}

test('refuses a request whose handle was replaced before its body came', async () => {
  const id = await draftNow()
  const { body: slow, opened, sendBody } = slowBody('{}')
  const { url, headers } = request('POST', `/api/commands/${id}`, {})
  const init = { method: 'POST', headers, body: slow, duplex: 'half' }
  const answering = execute(new Request(url, init), about(id))
  await opened
  await rotateHandle(await openForTest(browser.handle))
  sendBody()
  expect(await (await answering).json()).toMatchObject({ problem: { code: HANDLE_REPLACED } })
  expect(await stateOf(id)).toBe('draft')
})

test.each([
  ['POST /api/v1/Security/totp/enrol/confirm', 'totp.confirm', NOT_ENROLLED],
  ['DELETE /api/v1/Security/totp', 'totp.remove', ENROLLED],
] as const)('gives a new cookie when the answer to %s is lost', async (what, kind, status) => {
  service.on(STATUS, status)
  service.on(what, 'drop')
  const id = await draftForTest(await openForTest(browser.handle), kind, {})
  const answer = await execute(request('POST', `/api/commands/${id}`, { code: '111111' }), about(id))
  expect(await answer.json()).toMatchObject({ command: { outcome: { class: 'unknown' } } })
  expect(browser.given).toHaveLength(1)
})

test('gives the new cookie although the request then fails', async () => {
  const answer = await serveSession(request('POST', '/api/passkeys/challenge', {}), async (session) => {
    await rotateHandle(session)
    throw new Error('the challenge cannot be saved')
  })
  expect([answer.status, browser.given.length]).toEqual([500, 1])
  expect(await openSession(browser.given[0] ?? '')).not.toBeNull()
})

test('refuses a file whose handle was replaced before it came', async () => {
  service.on('GET /api/v1/Users/1/scopes', ok({ roles: [], scopes: ['transactions:confirm'] }))
  const { body, opened, sendBody } = slowBody('--x--')
  const { url, headers } = request('POST', '/api/deposits/statements')
  headers.set('content-type', 'multipart/form-data; boundary=x')
  const answering = upload(new Request(url, { method: 'POST', headers, body, duplex: 'half' } as RequestInit))
  await opened
  await rotateHandle(await openForTest(browser.handle))
  sendBody()
  expect(await (await answering).json()).toMatchObject({ problem: { code: HANDLE_REPLACED } })
})

describe('a verified change', () => {
  test('gives the new cookie before the service answers', async () => {
    const id = await draftNow()
    const { promise: answering, resolve: answerNow } = Promise.withResolvers<void>()
    service.before = async (what) => (what === CONFIRM ? await answering : undefined)
    const answer = await execute(request('POST', `/api/commands/${id}`, { code: '111111' }), about(id))
    expect([answer.status, browser.given.length]).toEqual([200, 1])
    expect(await openSession(browser.given[0] ?? '')).not.toBeNull()
    answerNow()
    expect(await answer.json()).toMatchObject({ ok: true, command: { outcome: { class: 'done' } } })
  })

  test('is done once when its browser leaves or repeats it', async () => {
    const id = await draftNow()
    const { promise: answering, resolve: answerNow } = Promise.withResolvers<void>()
    service.before = async (what) => (what === CONFIRM ? await answering : undefined)
    const answer = await execute(request('POST', `/api/commands/${id}`, { code: '111111' }), about(id))
    await answer.body?.cancel()
    // The cookie was lost with the answer.
    const again = await execute(request('POST', `/api/commands/${id}`, { code: '111111' }), about(id))
    const takenBack = await withdraw(request('DELETE', `/api/commands/${id}`), about(id))
    expect([again.status, takenBack.status]).toEqual([401, 401])
    answerNow()
    await expect.poll(() => stateOf(id)).toBe('done')
    const outcome = await look(request('GET', `/api/commands/${id}`), about(id))
    expect(await outcome.json()).toMatchObject({ command: { outcome: { class: 'done' } } })
    expect([service.of(VERIFY).length, service.of(CONFIRM).length]).toEqual([1, 1])
  })
})

test('shows the outcome after a new sign-in', async () => {
  const id = await draftNow()
  await (await execute(request('POST', `/api/commands/${id}`, { code: '111111' }), about(id))).text()
  browser.handle = await signInForTest()
  const takenBack = await withdraw(request('DELETE', `/api/commands/${id}`), about(id))
  expect(await takenBack.json()).toMatchObject({ command: { outcome: { class: 'done' } } })
})
