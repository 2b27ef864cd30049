import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Session } from '#lib/session/session.ts'
import { runCommand, serviceKindOrFail } from '#lib/testing/command-run.ts'
import { ok, ScriptedService } from '#lib/testing/scripted-service.ts'
import { signedIn } from '#lib/testing/signed-in.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { listTerminals } from './terminal-service.ts'

let service: ScriptedService
let session: Session

beforeAll(async () => {
  service = await ScriptedService.start()
  await freshConsole({ CORE_API_URL: service.url })
  session = await signedIn(0)
})

afterAll(() => service.stop())

const terminal = (merchantId: string) => ({
  id: '3f2b8c1e-5d04-4b7a-9e61-0c8d2f7a4e15',
  merchantId,
  terminalUid: 'PAX-1',
  label: 'counter-1',
  status: 'ACTIVE',
  registeredAt: '2026-07-01T10:00:00.0000000Z',
  updatedAt: '2026-07-01T10:00:00.0000000Z',
})

test('shows no terminal of another merchant as one of this', async () => {
  const listed = ['shop', 'SHOP', 'other'].map(terminal)
  service.on('GET /api/v1/merchant-terminals?merchantId=shop', ok({ terminals: listed }))
  const result = await listTerminals(session, 'shop')
  expect(result.ok && result.value.map(({ readable }) => readable)).toEqual([true, true, false])
})

test.each([
  ['the data', (rows: unknown) => rows],
  ['terminals', (rows: unknown) => ({ terminals: rows })],
  ['merchantTerminals', (rows: unknown) => ({ merchantTerminals: rows })],
  ['items', (rows: unknown) => ({ items: rows })],
])('reads a list in %s', async (_field, dataOf) => {
  service.on('GET /api/v1/merchant-terminals?merchantId=shop', ok(dataOf([terminal('shop')])))
  expect(await listTerminals(session, 'shop')).toMatchObject({ value: [{ value: { terminalUid: 'PAX-1' } }] })
})

test.each([null, {}, 'none', 0, { rows: [] }, { terminals: null }, { terminals: {} }, { items: 'none' }])(
  'takes %j for no list',
  async (data) => {
    service.on('GET /api/v1/merchant-terminals?merchantId=shop', ok(data))
    expect(await listTerminals(session, 'shop')).toMatchObject({ ok: false, problem: { kind: 'unreadable' } })
  },
)

describe.each([
  [
    'meta',
    (rows: unknown, total: number) => ({ data: rows, meta: { total, page: 1, pageSize: 1, totalPages: total } }),
  ],
  ['totalCount', (terminals: unknown, totalCount: number) => ({ data: { terminals, totalCount } })],
] as const)('a list in pages with %s', (_where, bodyOf) => {
  const page = (uid: string, total: number) => ({
    status: 200,
    body: bodyOf([{ ...terminal('shop'), terminalUid: uid }], total),
  })
  const LIST = 'GET /api/v1/merchant-terminals?merchantId=shop'

  test('is read whole', async () => {
    service.on(LIST, page('PAX-1', 2))
    service.on(`${LIST}&page=2`, page('PAX-2', 2))
    const result = await listTerminals(session, 'shop')
    expect(result.ok && result.value).toMatchObject([
      { value: { terminalUid: 'PAX-1' } },
      { value: { terminalUid: 'PAX-2' } },
    ])
  })

  test('shows no terminal twice if pages repeat', async () => {
    service.on(LIST, page('PAX-1', 2))
    service.on(`${LIST}&page=2`, page('PAX-1', 2))
    const result = await listTerminals(session, 'shop')
    expect(result.ok && result.value.map(({ readable }) => readable)).toEqual([true, false])
  })

  test.each([
    [2, [true, false]],
    [5, [true, false, false, false, false]],
  ])('of %i shows each missing row', async (total, readable) => {
    service.on(LIST, page('PAX-1', total))
    service.on(`${LIST}&page=2`, ok([]))
    const result = await listTerminals(session, 'shop')
    expect(result.ok && result.value.map((row) => row.readable)).toEqual(readable)
  })

  test('bounds what it shows of an absurd count', async () => {
    service.on(LIST, page('PAX-1', 9e15))
    service.on(`${LIST}&page=2`, page('PAX-1', 9e15))
    const result = await listTerminals(session, 'shop')
    expect(result.ok && result.value).toHaveLength(1_001)
  })

  test('finds a registration behind the first page', async () => {
    service.on(LIST, page('PAX-2', 2))
    service.on(`${LIST}&page=2`, page('PAX-1', 2))
    const sent = { facts: {}, actorUserId: null, sentAt: new Date().toISOString(), answer: null }
    const given = { merchantId: 'shop', terminalUid: 'PAX-1', label: 'counter-1' }
    const look = await serviceKindOrFail('terminal.register').reconcile?.(session, given, sent)
    expect(look).toMatchObject({ settled: true })
  })
})

test('shows every row of a list whose count is unreadable', async () => {
  service.on(
    'GET /api/v1/merchant-terminals?merchantId=shop',
    ok({ terminals: [terminal('shop')], totalCount: 'many' }),
  )
  const result = await listTerminals(session, 'shop')
  expect(result.ok && result.value.map(({ readable }) => readable)).toEqual([true])
})

test.each([
  ['Front  till', 'Front till', null, true],
  ['Front till', 'Back till', null, false],
  ['', 'Terminal 7', 'success', true],
  ['', 'Terminal 7', null, false],
] as const)(
  'settles a registration labelled %j by a list with %j, answered %j: %s',
  async (label, listed, answer, settled) => {
    service.on(
      'GET /api/v1/merchant-terminals?merchantId=shop',
      ok({ terminals: [{ ...terminal('shop'), label: listed }] }),
    )
    const sent = { facts: {}, actorUserId: null, sentAt: new Date().toISOString(), answer }
    const given = { merchantId: 'shop', terminalUid: 'PAX-1', label }
    const found = await serviceKindOrFail('terminal.register').reconcile?.(session, given, sent)
    expect(found).toMatchObject({ settled })
    if (settled) expect(found).toMatchObject({ description: { lines: expect.arrayContaining([labelled(listed)]) } })
  },
)

const labelled = (value: string) => ({ label: 'Label', value, as: 'text' })

test.each([
  ['a merchant id in capitals', { merchantId: 'SHOP' }],
  ['a label that it chose', { label: 'Terminal 7' }],
])('registers at a service that answers with %s', async (_what, change) => {
  const registered = { ...terminal('shop'), label: '', ...change }
  service.on(
    'GET /api/v1/merchant-terminals?merchantId=shop',
    ok({ terminals: [] }),
    ok({ terminals: [] }),
    ok({ terminals: [registered] }),
  )
  service.on('POST /api/v1/merchant-terminals', ok(registered))
  const given = { merchantId: 'shop', terminalUid: 'PAX-1', label: '' }
  const { command } = await runCommand(session, 'terminal.register', given)
  expect(command.outcome.class).toBe('done')
})

describe('a reader that changes before it is disabled', () => {
  const PATH = `/api/v1/merchant-terminals/${terminal('shop').id}`
  const disable = async (change: Partial<ReturnType<typeof terminal>>) => {
    service.on(`GET ${PATH}`, ok(terminal('shop')), ok({ ...terminal('shop'), ...change }))
    service.on(`POST ${PATH}/disable`, ok({ ...terminal('shop'), status: 'DISABLED' }))
    const params = { terminalId: terminal('shop').id, reason: 'Lost' }
    return (await runCommand(session, 'terminal.disable', params, 'counter-1')).command.outcome
  }
  const used = { updatedAt: '2026-07-02T10:00:00.0000000Z' }

  test('is disabled if only its time moved', async () => {
    expect((await disable(used)).class).toBe('done')
  })

  test.each(['label', 'status', 'merchantId', 'terminalUid'])('is not if its %s did too', async (field) => {
    const now = expect.arrayContaining([{ label: 'Updated', value: used.updatedAt, as: 'time' }])
    expect(await disable({ ...used, [field]: 'other' })).toMatchObject({ class: 'changed', now })
  })
})
