import { beforeEach, describe, expect, test, vi } from 'vitest'
import { handlers } from '#lib/authorization/routes.ts'
import { putPerProcess } from '#lib/config/per-process.ts'
import { CHANGES_STOPPED } from '#lib/contract/problem-of.ts'
import { findLine } from '#lib/statements/shown-lines.ts'
import { countStatements } from '#lib/statements/statement-table.ts'
import { beginWork, tickWork } from '#lib/statements/work.ts'
import { store } from '#lib/store/store.ts'
import { runCommand } from '#lib/testing/command-run.ts'
import { freshConsole, testEnvironment } from '#lib/testing/test-console.ts'
import { type TestService, testService } from '#lib/testing/test-service.ts'
import { handleOf, signedIn } from '#lib/testing/test-session.ts'
import { csvOf, importedAndRead } from '#lib/testing/test-statement.ts'
import { POST as checkJournal } from './activity/check/route.ts'
import { serveSession } from './answer.ts'
import { POST as dismiss } from './commands/[id]/dismiss/route.ts'
import { PUT as sendAtOnce } from './commands/[id]/route.ts'
import { POST as settle } from './commands/[id]/settle/route.ts'
import { POST as draft } from './commands/route.ts'
import { POST as editLine } from './deposits/statements/[id]/lines/[number]/route.ts'
import { DELETE as discard, POST as restore } from './deposits/statements/[id]/route.ts'
import { POST as startWork, DELETE as stopWork } from './deposits/statements/[id]/work/route.ts'
import { POST as upload } from './deposits/statements/route.ts'
import { GET as readSimilar } from './disputes/[caseId]/similar/route.ts'
import { POST as assignCases, GET as readColleagues } from './disputes/assignments/route.ts'
import { GET as exportChanges } from './export/activity/route.ts'
import { DELETE as endSession } from './session/sessions/[id]/route.ts'
import { POST as poll } from './stream/poll/route.ts'

const idOf = (end: string) => `00000000-0000-4000-8000-${end.padStart(12, '0')}`
const CONFIRM = '/api/v1/Transaction/deposit/confirm'

/** The session that asks: its handle stands in the cookie of the request. */
const visitor = vi.hoisted(() => ({ handle: '' }))
vi.mock('next/headers', () => ({ cookies: async () => ({ get: () => ({ value: visitor.handle }) }) }))

let service: TestService
let statementId: string

beforeEach(async () => {
  service = await testService()
  await freshConsole({ CORE_API_URL: service.url })
  putPerProcess('refusals', undefined)
  await service.call('POST', '/sandbox/reset')
  const operator = await signedIn(service, 'operator@example.com', idOf('1'))
  const reference = await service.announceDeposit('10')
  statementId = await importedAndRead(operator, csvOf([{ reference, text: 'Paid by Ben Bennett' }]))
})

/** What the journal has of attempts that were refused. */
async function refusals(): Promise<readonly { actor: string; what: unknown; needs: unknown }[]> {
  const events = await (await store())
    .selectFrom('command_event')
    .select(['actor', 'body'])
    .where('state', '=', 'refused')
    .orderBy('sequence')
    .execute()
  return events
    .map(({ actor, body }) => ({ actor, ...(JSON.parse(body) as { kind: string; what: unknown; needs: unknown }) }))
    .filter(({ kind }) => kind === 'access.refused')
    .map(({ actor, what, needs }) => ({ actor, what, needs }))
}

/** Lets this person ask from now on: signed in, as if admission had let them through. */
async function as(email: string, end: string): Promise<void> {
  visitor.handle = await handleOf(service, email, idOf(end))
}

const requestOf = (method: string, path: string, body?: unknown, type = 'application/json') =>
  new Request(`${testEnvironment.NEXTAUTH_URL}${path}`, {
    method,
    headers: {
      'x-console': '1',
      'sec-fetch-site': 'same-origin',
      origin: testEnvironment.NEXTAUTH_URL ?? '',
      ...(method === 'GET' ? {} : { 'content-type': type }),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })

/** The events of one topic. */
const eventsOf = async (topic: string): Promise<string> =>
  await (await poll(requestOf('POST', '/api/stream/poll', { topics: [topic] }))).text()

/** What somebody without the scope of confirming tried with statements. */
function attempts(): readonly (readonly [what: string, answer: () => Promise<Response>])[] {
  const path = `/api/deposits/statements/${statementId}`
  const params = Promise.resolve({ id: statementId })
  const line = Promise.resolve({ id: statementId, number: '1' })
  const edit = (body: unknown) => () => editLine(requestOf('POST', `${path}/lines/1`, body), { params: line })
  const form = 'multipart/form-data; boundary=b'
  return [
    ['upload', () => upload(requestOf('POST', '/api/deposits/statements', '--b--\r\n', form))],
    ['bind a line to another deposit', edit({ act: 'reference', reference: 'DEP~of-her-own' })],
    ['put a line aside', edit({ act: 'set-aside', reason: 'mine' })],
    ['send what is no edit', edit('nonsense')],
    [
      'look lines up',
      () => startWork(requestOf('POST', `${path}/work`, { work: 'look', scope: 'unread' }), { params }),
    ],
    ['confirm', () => startWork(requestOf('POST', `${path}/work`, { work: 'confirm', seal: 'x' }), { params })],
    ['stop the work', () => stopWork(requestOf('DELETE', `${path}/work`), { params })],
    ['discard it', () => discard(requestOf('DELETE', path), { params })],
    ['restore it', () => restore(requestOf('POST', path), { params })],
  ]
}

describe.each([
  ['a holder', 'ben@example.com', '12'],
  ['the viewer', 'viewer@example.com', '4'],
  ['an arbitrator', 'arbitrator@example.com', '2'],
])('%s with a session', (_who, email, end) => {
  test('gets nothing of a statement and changes nothing in it', async () => {
    await as(email, end)
    const line = await findLine(await store(), statementId, 1)
    for (const [what, answer] of attempts()) {
      const response = await answer()
      const text = await response.text()
      expect(response.status, what).toBe(403)
      expect(JSON.parse(text), what).toMatchObject({ problem: { scope: 'core:transactions:confirm' } })
      expect(text).not.toContain('Bennett')
    }
    const events = await eventsOf(`statement ${statementId}`)
    expect(events).toContain('core:transactions:confirm')
    expect(events).not.toContain('Bennett')
    expect(await findLine(await store(), statementId, 1)).toEqual(line)
    expect(await countStatements(await store())).toBe(1)
  })

  test('sees nothing of an unknown confirmation of the operator, and cannot say that it did not happen', async () => {
    const operator = await signedIn(service, 'operator@example.com', idOf('1'))
    const referenceId = await service.announceDeposit('33')
    await service.fault('POST', CONFIRM, 'drop-after')
    const params = { referenceId, bankReference: `ATL ${referenceId}`, statementAmount: '33' }
    const { command } = await runCommand(operator, 'deposit.confirm', params)
    await as(email, end)
    const open = await eventsOf('home')
    expect(open).not.toContain(referenceId)
    expect(open).not.toContain('operator@example.com')
    const reason = requestOf('POST', `/api/commands/${command.id}/dismiss`, { why: 'I know' })
    expect((await dismiss(reason, { params: Promise.resolve({ id: command.id }) })).status).toBe(404)
    const verdict = requestOf('POST', `/api/commands/${command.id}/settle`, { happened: false, why: 'I know' })
    expect((await settle(verdict, { params: Promise.resolve({ id: command.id }) })).status).toBe(404)
    const tried = (await refusals()).map(({ what }) => what)
    expect(tried).toEqual(expect.arrayContaining(['settling by hand', 'dismissing a change']))
  })

  test('is refused a confirmation, which the journal records once', async () => {
    await as(email, end)
    const before = await refusals()
    const params = { referenceId: 'DEP~x', bankReference: 'x', statementAmount: '1' }
    for (let times = 0; times < 3; times += 1) {
      const refused = await draft(requestOf('POST', '/api/commands', { kind: 'deposit.confirm', params }))
      expect(refused.status).toBe(403)
      expect(await refused.json()).toMatchObject({ ok: false, problem: { scope: 'core:transactions:confirm' } })
    }
    expect((await refusals()).slice(before.length)).toEqual([
      { actor: `sso:${idOf(end)}`, what: 'deposit.confirm', needs: 'core:transactions:confirm' },
    ])
    const made = (await store())
      .selectFrom('command')
      .select('kind')
      .where('actor', '=', `sso:${idOf(end)}`)
    expect((await made.execute()).filter(({ kind }) => kind !== 'access.refused')).toEqual([])
  })
})

test('the operator passes the same guards', async () => {
  await as('operator@example.com', '1')
  for (const [what, answer] of attempts().slice(0, 5)) expect((await answer()).status, what).not.toBe(403)
})

test('stops only the run that the page names', async () => {
  await as('operator@example.com', '1')
  const db = await store()
  const place = {
    work: 'confirm',
    token: 'its',
    boot: 'here',
    by: 'somebody',
    total: 1,
    alone: false,
    look: null,
  } as const
  const run = (await beginWork(db, statementId, place)) ?? 0
  const stop = async (body?: unknown) => {
    const request = requestOf('DELETE', `/api/deposits/statements/${statementId}/work`, body)
    const answer = await stopWork(request, { params: Promise.resolve({ id: statementId }) })
    const { problem } = (await answer.json()) as { problem?: { title: string } }
    return [answer.status, problem?.title, await tickWork(db, statementId, 'its', 0)]
  }
  for (const body of [undefined, {}, { run: 2 ** 31 }])
    expect(await stop(body)).toEqual([400, 'Work not found.', 'goes on'])
  expect(await stop({ run: run - 1 })).toEqual([409, 'This run has ended already. Nothing was stopped.', 'goes on'])
  expect(await stop({ run })).toEqual([200, undefined, 'stop'])
})

test('where scopes cannot be read, a statement stays shut, and nobody is told that they lack a scope', async () => {
  visitor.handle = await handleOf(service, 'operator@example.com', idOf('99'))
  for (const [what, answer] of attempts()) {
    const response = await answer()
    expect(response.status, what).toBe(403)
    expect(await response.json(), what).toMatchObject({
      problem: { scope: null, title: expect.stringContaining('could not be read') },
    })
  }
})

test('answers a repeated end of a session alike', async () => {
  await as('operator@example.com', '1')
  const { id } = await signedIn(service, 'operator@example.com', idOf('1'))
  const left = async () => await (await store()).selectFrom('session').select('id').where('id', '=', id).execute()
  expect(await left()).toHaveLength(1)
  for (const _repeated of [1, 2]) {
    const request = requestOf('DELETE', `/api/session/sessions/${id}`)
    const answer = await endSession(request, { params: Promise.resolve({ id }) })
    expect([answer.status, await answer.json(), await left()]).toEqual([200, { ok: true }, []])
  }
})

test('refuses a page’s change after another person signed in', async () => {
  await as('arbitrator@example.com', '2')
  const id = idOf('abc')
  const send = (end: string) => {
    const params = { caseId: idOf('c'), body: 'Of the one before' }
    const request = requestOf('PUT', `/api/commands/${id}`, {
      owner: `sso:${idOf(end)}`,
      kind: 'dispute.message',
      params,
    })
    return sendAtOnce(request, { params: Promise.resolve({ id }) })
  }
  expect((await send('1')).status).toBe(409)
  expect((await (await store()).selectFrom('command').select('id').where('id', '=', id).execute()).length).toBe(0)
  expect((await send('2')).status).not.toBe(409)
})

test('exports only visible changes; the journal check needs a scope', async () => {
  const exported = async () => await (await exportChanges(requestOf('GET', '/api/export/activity?format=json'))).text()
  const check = async () => await checkJournal(requestOf('POST', '/api/activity/check', {}))
  await as('operator@example.com', '1')
  expect(await exported()).toContain(statementId)
  expect(await (await check()).json()).toMatchObject({ ok: true, check: { faults: [] } })
  await as('viewer@example.com', '4')
  expect(await exported()).not.toContain(statementId)
  expect((await check()).status).toBe(403)
  await as('arbitrator@example.com', '2')
  expect(await exported()).not.toContain(statementId)
  expect((await check()).status).toBe(200)
  for (const query of ['format=xml', 'from=never', 'kind=deposit.mint']) {
    expect((await exportChanges(requestOf('GET', `/api/export/activity?${query}`))).status, query).toBe(400)
  }
  visitor.handle = 'nobody'
  expect((await exportChanges(requestOf('GET', '/api/export/activity'))).status).toBe(401)
  expect((await check()).status).toBe(401)
})

test('several cases are assigned by those alone who work on cases, and fifty of them at once at most', async () => {
  const assign = (body: unknown) => assignCases(requestOf('POST', '/api/disputes/assignments', body))
  const some = (count: number) => Array.from({ length: count }, (_, at) => idOf(`c${at}`))
  for (const [email, end] of [
    ['operator@example.com', '1'],
    ['viewer@example.com', '4'],
  ] as const) {
    await as(email, end)
    expect((await assign({ caseIds: some(1), to: 'me' })).status).toBe(403)
    expect((await readColleagues(requestOf('GET', '/api/disputes/assignments'))).status).toBe(403)
    const similar = requestOf('GET', `/api/disputes/${idOf('c0')}/similar`)
    expect((await readSimilar(similar, { params: Promise.resolve({ caseId: idOf('c0') }) })).status).toBe(403)
  }
  await as('arbitrator@example.com', '2')
  const note = '4242 4242 4242 4242'
  for (const body of [
    { caseIds: some(51), to: 'me' },
    { caseIds: [], to: 'me' },
    { caseIds: ['x'], to: 'me' },
    { caseIds: some(1), to: 'everybody' },
    { caseIds: some(1), to: { person: `sso:${idOf('3')}`, note } },
  ]) {
    expect((await assign(body)).status).toBe(400)
  }
  const answer = await (await assign({ caseIds: [...some(1), ...some(1)], to: 'me' })).json()
  expect(answer).toEqual({
    ok: true,
    cases: [{ caseId: idOf('c0'), end: 'not-done', why: 'Not found, or not visible to you.' }],
  })
})

describe('while the witness disagrees', () => {
  beforeEach(async () => {
    await (await store()).updateTable('log_head').set({ conflict: 'another log' }).execute()
    await as('operator@example.com', '1')
  })
  const stopped = { ok: false, fields: {}, problem: { status: 503, code: CHANGES_STOPPED } }

  test('serves no request that changes records', async () => {
    const refused: string[] = []
    for (const [template, methods] of Object.entries(handlers))
      for (const method of Object.keys(methods)) {
        const request = requestOf(method, template.replace(/\[[^\]]+\]/g, 'a'))
        const answer = await serveSession(request, async () => Response.json({ ok: true }))
        if (answer.status === 503) refused.push(`${method} ${template}`)
        if (answer.status === 503) expect(await answer.json()).toMatchObject(stopped)
      }
    const ofStatement = '/api/deposits/statements/[id]'
    expect(refused).toEqual([
      ...['approval', 'decision', 'dismiss', 'free-lock', 'passkey', 'settle'].map(
        (act) => `POST /api/commands/[id]/${act}`,
      ),
      'POST /api/deposits/statements',
      `POST ${ofStatement}`,
      `DELETE ${ofStatement}`,
      ...['found-references', 'lines/[number]', 'lines/[number]/confirmation', 'work'].map(
        (act) => `POST ${ofStatement}/${act}`,
      ),
      'POST /api/disputes/assignments',
      'POST /api/disputes/next',
      'POST /api/passkeys',
      'POST /api/passkeys/challenge',
    ])
  })

  test('writes no event for a statement or a verdict', async () => {
    const events = async () => await (await store()).selectFrom('command_event').select('sequence').execute()
    const before = await events()
    const params = Promise.resolve({ id: idOf('abc') })
    const why = { why: 'I know' }
    for (const answer of [
      ...attempts().flatMap(([what, answer]) => (what === 'stop the work' ? [] : [answer])),
      () => dismiss(requestOf('POST', `/api/commands/${idOf('abc')}/dismiss`, why), { params }),
      () => settle(requestOf('POST', `/api/commands/${idOf('abc')}/settle`, { happened: true, ...why }), { params }),
    ])
      expect(await (await answer()).json()).toMatchObject(stopped)
    expect(await events()).toEqual(before)
  })
})

test('a handler that the table of routes does not name serves nobody', async () => {
  await as('admin@example.com', '3')
  const served = await serveSession(requestOf('GET', '/api/forgotten'), async () => Response.json({ ok: true }))
  expect(served.status).toBe(403)
})
