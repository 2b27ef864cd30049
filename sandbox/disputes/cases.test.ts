import { beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '#lib/contract/endpoints.ts'
import { parseJson } from '#lib/contract/json.ts'
import { type TestSandbox, testSandbox } from '#sandbox/testing/test-sandbox.ts'
import { BEN, disputeCalls, listed, refusal, total } from './test-disputes.ts'

const UNKNOWN = '00000000-0000-4000-8000-00000000ffff'
const STRANGERS = ['dario@example.com', 'operator@example.com', 'viewer@example.com']
const ADMINS = ['arbitrator@example.com', 'newcomer@example.com', 'admin@example.com']

let box: TestSandbox
let call: ReturnType<typeof disputeCalls>

beforeAll(async () => {
  box = await testSandbox()
  call = disputeCalls(box)
  await box.reset()
})

describe('one case', () => {
  test('both parties and every admin see it, with the first page of its thread, as the contract has it', async () => {
    const { id, referenceId } = await call.opened()
    for (let n = 1; n <= 25; n += 1) await call.post(id, `Message ${n}`, n % 2 ? 'ana@example.com' : 'ben@example.com')
    for (const as of ['ana@example.com', 'ben@example.com', ...ADMINS]) {
      const { status, body } = await call.read(id, as)
      expect([status, body.data?.id, body.data?.referenceId]).toEqual([200, id, referenceId])
      const messages = body.data?.messages as unknown as readonly { readonly body: string }[]
      expect(messages).toHaveLength(20)
      expect(messages.slice(1).map((message) => message.body)).toEqual(
        Array.from({ length: 19 }, (_, n) => `Message ${n + 1}`),
      )
      expect(endpoints.disputes.read.data.safeParse(parseJson(JSON.stringify(body.data))).success).toBe(true)
    }
  })

  test('to everyone else it does not exist, and its thread neither', async () => {
    const { id } = await call.opened()
    for (const as of STRANGERS) {
      expect(refusal(await call.read(id, as))).toEqual([404, 'core::disputes::not_found'])
      expect(refusal(await call.messages(id, '', as))).toEqual([404, 'core::disputes::not_found'])
    }
  })

  test.each([
    ['a UUID', UNKNOWN],
    ['no UUID', 'unknown'],
    ['NUL', '%00'],
    ['a long one', 'x'.repeat(2000)],
  ])('404 for an id that no case has: %s', async (_what, id) => {
    for (const as of ['ana@example.com', 'arbitrator@example.com']) {
      for (const answer of [await call.read(id, as), await call.messages(id, '', as), await call.post(id, 'Hi', as)]) {
        expect(refusal(answer)).toEqual([404, 'core::disputes::not_found'])
      }
    }
    expect(refusal(await call.resolve(id))).toEqual([404, 'core::disputes::not_found'])
  })

  test('401 without a token', async () => {
    const { id } = await call.opened()
    for (const path of ['', `/${id}`, `/${id}/messages`]) {
      expect((await box.call('GET', `/api/v1/Dispute${path}`)).status).toBe(401)
    }
    for (const path of ['messages', 'resolve']) {
      expect((await box.call('POST', `/api/v1/Dispute/${id}/${path}`, { body: {} })).status).toBe(401)
    }
  })
})

describe('the list', () => {
  test('a party gets their own cases only, newest first, without messages, as the contract has it', async () => {
    const before = total(await call.list('', 'ben@example.com'))
    const first = await call.opened()
    const second = await call.opened()
    await call.raise(await call.protect('ana@example.com', '00000000-0000-4000-8000-000000000013'))
    const answer = await call.list('', 'ben@example.com')
    const cases = listed(answer, 'cases')
    expect(total(answer)).toBe(before + 2)
    expect(cases.slice(0, 2).map(({ id }) => id)).toEqual([second.id, first.id])
    for (const row of cases) {
      expect([row.raisedByUserId, row.counterpartyUserId]).toContain(BEN)
      expect(row).not.toHaveProperty('messages')
    }
    expect(endpoints.disputes.list.data.safeParse(parseJson(JSON.stringify(answer.body.data))).success).toBe(true)
  })

  test('for who is no admin, all and status change nothing', async () => {
    await call.resolve((await call.opened()).id)
    await call.opened()
    const plain = (await call.list('', 'ana@example.com')).body
    for (const query of ['?all=true', '?all=true&status=OPEN', '?status=RESOLVED', '?all=false&status=OPEN']) {
      expect((await call.list(query, 'ana@example.com')).body, query).toEqual(plain)
    }
    for (const as of STRANGERS.slice(1)) {
      expect(total(await call.list('?all=true', as)), as).toBe(0)
    }
  })

  test.each(ADMINS)('%s sees everybody’s with all, by status; only their own without', async (as) => {
    const open = await call.opened()
    const closed = await call.opened()
    await call.resolve(closed.id)
    const ids = async (query: string) => listed(await call.list(query, as), 'cases').map(({ id }) => id)
    expect((await ids('?all=true')).slice(0, 2)).toEqual([closed.id, open.id])
    expect((await ids('?all=True&status=OPEN'))[0]).toBe(open.id)
    expect((await ids('?all=true&status=RESOLVED'))[0]).toBe(closed.id)
    const totals = await Promise.all(
      ['?all=true', '?all=true&status=OPEN', '?all=true&status=RESOLVED'].map(async (query) =>
        total(await call.list(query, as)),
      ),
    )
    expect(totals[0]).toBe(Number(totals[1]) + Number(totals[2]))
    for (const query of ['', '?all=false', '?status=OPEN']) expect(await ids(query)).toEqual([])
  })

  test('pages do not overlap and cover everything; one past the end is empty and keeps the total', async () => {
    for (let n = 0; n < 5; n += 1) await call.opened()
    const as = 'arbitrator@example.com'
    const whole = listed(await call.list('?all=true&pageSize=100', as), 'cases').map(({ id }) => id)
    const count = total(await call.list('?all=true', as))
    const paged: unknown[] = []
    for (let page = 1; page <= Math.ceil(Math.min(count, 100) / 3); page += 1) {
      paged.push(...listed(await call.list(`?all=true&pageSize=3&page=${page}`, as), 'cases').map(({ id }) => id))
    }
    expect(paged.slice(0, whole.length)).toEqual(whole)
    expect(new Set(paged).size).toBe(paged.length)
    const past = await call.list('?all=true&pageSize=100&page=1000000000', as)
    expect([past.status, listed(past, 'cases'), total(past)]).toEqual([200, [], count])
  })

  test.each([
    ['all', 'all=yes'],
    ['all', 'all='],
    ['all', 'all=true&all=false'],
    ['status', 'status=open'],
    ['status', 'status='],
    ['status', 'status=CLOSED'],
    ['page', 'page=0'],
    ['page', 'page=-1'],
    ['page', 'page=1.5'],
    ['page', 'page=1000000001'],
    ['pageSize', 'pageSize=0'],
    ['pageSize', 'pageSize=101'],
    ['pageSize', 'pageSize=ten'],
  ])('400 names %s: %s', async (field, query) => {
    for (const as of ['ana@example.com', 'arbitrator@example.com']) {
      const { status, body } = await call.list(`?${query}`, as)
      expect([status, Object.keys(body.errors ?? {})]).toEqual([400, [field]])
    }
  })
})
