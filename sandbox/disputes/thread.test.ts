import { beforeAll, describe, expect, test } from 'vitest'
import { disputeMessage } from '#lib/contract/disputes.ts'
import { type TestSandbox, testSandbox } from '#sandbox/testing/test-sandbox.ts'
import { ANA, ARBITRATOR, BEN, disputeCalls, listed, refusal, total } from './test-disputes.ts'

let box: TestSandbox
let call: ReturnType<typeof disputeCalls>

beforeAll(async () => {
  box = await testSandbox()
  call = disputeCalls(box)
  await box.reset()
})

describe('posting', () => {
  test('answers the message as it stands in the thread, and as the contract has it', async () => {
    const { id } = await call.opened()
    const { status, body } = await call.post(id, 'Where is it?')
    expect(status).toBe(200)
    expect(body.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      disputeCaseId: id,
      senderUserId: ANA,
      isSystemMessage: false,
      body: 'Where is it?',
      createdAt: expect.stringMatching(/\.\d{7}Z$/),
    })
    expect(disputeMessage.safeParse(body.data).success).toBe(true)
    expect(listed(await call.messages(id), 'messages').at(-1)).toEqual(body.data)
  })

  test('both parties and arbitrators may', async () => {
    const { id } = await call.opened()
    for (const [as, userId] of [
      ['ana@example.com', ANA],
      ['ben@example.com', BEN],
      ['arbitrator@example.com', ARBITRATOR],
    ] as const) {
      expect((await call.post(id, 'Hello', as)).body.data?.senderUserId).toBe(userId)
    }
  })

  test.each([
    ['white space', '  indented\n\ttext \r\n'],
    ['the longest', 'x'.repeat(4000)],
    ['markup', '<script>alert(1)</script>'],
    ['reversed and joined characters', '\u202Egnp.exe 👩‍👩‍👧'],
    ['SQL', "'; DROP TABLE dispute_case; --"],
  ])('keeps a body exactly as it came: %s', async (_what, text) => {
    const { id } = await call.opened()
    expect((await call.post(id, text)).body.data?.body).toBe(text)
    expect(listed(await call.messages(id), 'messages').at(-1)?.body).toBe(text)
  })

  test.each([
    ['empty', ''],
    ['blank', ' \n\t'],
    ['too long', 'x'.repeat(4001)],
    ['NUL', 'a\0b'],
    ['half a character', 'half \ud83d'],
    ['a number', 7],
    ['null', null],
    ['a list', ['a']],
    ['missing', undefined],
  ])('400 names the body: %s', async (_what, text) => {
    const { id } = await call.opened()
    const { status, body } = await call.post(id, text)
    expect([status, Object.keys(body.errors ?? {})]).toEqual([400, ['body']])
    expect(total(await call.messages(id))).toBe(1)
  })

  test('400 for a field that is none, 413 for a megabyte, 415 for another media type', async () => {
    const { id } = await call.opened()
    const path = `/api/v1/Dispute/${id}/messages`
    const as = 'ana@example.com'
    const extra = await box.call('POST', path, { as, body: { body: 'Hi', isSystemMessage: true } })
    expect(extra.body.errors).toHaveProperty('isSystemMessage')
    expect((await call.post(id, 'x'.repeat(1_000_000))).status).toBe(413)
    const form = { text: 'body=Hi', headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    expect((await box.call('POST', path, { as, ...form })).status).toBe(415)
    expect(total(await call.messages(id))).toBe(1)
  })

  test('403 without the scope, naming it; 404 to who is no party', async () => {
    const { id } = await call.opened()
    for (const as of ['viewer@example.com', 'operator@example.com']) {
      const { status, body } = await call.post(id, 'Hi', as)
      expect([status, String(body.title)]).toEqual([403, expect.stringContaining('core:disputes:message')])
    }
    expect(refusal(await call.post(id, 'Hi', 'dario@example.com'))).toEqual([404, 'core::disputes::not_found'])
  })

  test('409 on a resolved case, for everyone', async () => {
    const { id } = await call.opened()
    await call.resolve(id)
    const before = total(await call.messages(id))
    for (const as of ['ana@example.com', 'ben@example.com', 'arbitrator@example.com']) {
      expect(refusal(await call.post(id, 'Hi', as))).toEqual([409, 'core::disputes::resolved'])
    }
    expect(total(await call.messages(id))).toBe(before)
  })
})

describe('reading', () => {
  test('oldest first, in pages', async () => {
    const { id } = await call.opened()
    for (let n = 1; n <= 24; n += 1) await call.post(id, String(n))
    const bodies = async (query: string) => listed(await call.messages(id, query), 'messages').map(({ body }) => body)
    const expected = Array.from({ length: 24 }, (_, n) => String(n + 1))
    expect((await bodies('')).slice(1)).toEqual(expected.slice(0, 19))
    expect(await bodies('?page=2')).toEqual(expected.slice(19))
    expect((await bodies('?pageSize=100')).slice(1)).toEqual(expected)
    expect(await bodies('?page=3&pageSize=10')).toEqual(expected.slice(19))
    const past = await call.messages(id, '?page=1000000000&pageSize=100')
    expect([listed(past, 'messages'), total(past)]).toEqual([[], 25])
  })

  test.each([['page=0'], ['page=1000000001'], ['pageSize=101'], ['pageSize=0'], ['page=x'], ['page=1&page=2']])(
    '400: %s',
    async (query) => {
      const { id } = await call.opened()
      expect((await call.messages(id, `?${query}`)).status).toBe(400)
    },
  )
})

describe('at once', () => {
  test('fifty posts keep one order without gaps, by position and by time', async () => {
    const { id } = await call.opened()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => call.post(id, String(n), n % 2 ? 'ana@example.com' : 'ben@example.com')),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200))
    const rows = await box.sandbox.world.db
      .selectFrom('dispute_message')
      .selectAll()
      .where('case_id', '=', id)
      .orderBy('position')
      .execute()
    expect(rows.map(({ position }) => position)).toEqual(Array.from({ length: 51 }, (_, n) => n + 1))
    const times = rows.map(({ created_at }) => created_at)
    expect(times).toEqual([...times].sort())
    expect(new Set(times).size).toBe(51)
  })

  test('posts against a resolution: none comes after it', async () => {
    const { id } = await call.opened()
    const posts = Array.from({ length: 30 }, (_, n) => n).map((n) => call.post(id, String(n)))
    const [resolution, ...answers] = await Promise.all([call.resolve(id), ...posts])
    expect(resolution.status).toBe(200)
    const posted = answers.filter(({ status }) => status === 200).length
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(30 - posted)
    const messages = listed(await call.messages(id, '?pageSize=100'), 'messages')
    expect(messages).toHaveLength(posted + 2)
    expect(messages.at(-1)).toMatchObject({ isSystemMessage: true })
  })
})

test('messages are append-only: the database refuses a change', async () => {
  const { id } = await call.opened()
  const { db } = box.sandbox.world
  await expect(
    db.updateTable('dispute_message').set({ body: 'x' }).where('case_id', '=', id).execute(),
  ).rejects.toThrow()
  await expect(db.deleteFrom('dispute_message').where('case_id', '=', id).execute()).rejects.toThrow()
})
