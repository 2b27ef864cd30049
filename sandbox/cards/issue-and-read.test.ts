import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { card, cards } from '#lib/contract/cards.ts'
import { envelope } from '#lib/contract/endpoint.ts'
import { parseJson } from '#lib/contract/json.ts'
import { userIdEndingIn } from '#sandbox/seed/people.ts'
import { type Json, type TestSandbox, testSandbox } from '#sandbox/testing/test-sandbox.ts'
import { systemRandomness } from '#sandbox/world/random.ts'
import { issueCard } from './routes.ts'
import { ANA, BEN, cardCalls, codeOf, OPERATOR } from './test-cards.ts'

let box: TestSandbox
let call: ReturnType<typeof cardCalls>

beforeAll(async () => {
  box = await testSandbox()
  call = cardCalls(box)
  await box.reset()
})
beforeEach(async () => {
  await box.sandbox.world.db.deleteFrom('card').execute()
})

const listed = async (as: string) => (await call.list(as)).body.data?.cards as unknown as readonly Json[]
const stored = () => box.sandbox.world.db.selectFrom('card').selectAll().execute()

/** The body as it arrives, so that no number of it is rounded on the way. */
async function raw(path: string, as: string): Promise<unknown> {
  const response = await fetch(box.url + path, { headers: { authorization: `Bearer ${await box.token(as)}` } })
  return parseJson(await response.text())
}

describe('issue', () => {
  test('answers an UNISSUED card with its full number', async () => {
    const { status, body } = await call.issue({ cardType: 2, printedName: '  Ana Alvarez ' })
    expect(status).toBe(200)
    expect(body.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      userId: ANA,
      cardNumber: expect.stringMatching(/^\d{16}$/),
      last4: String(body.data?.cardNumber).slice(-4),
      cardType: 2,
      cardTypeName: 'Business',
      printedName: 'Ana Alvarez',
      status: 'UNISSUED',
      frozen: false,
      issuedAt: expect.stringMatching(/\.\d{7}Z$/),
      activatedAt: null,
      frozenAt: null,
      perTxnCap: null,
      dailyCap: null,
      lifetimeCap: null,
    })
  })

  test.each([
    [1, 'Classic'],
    [2, 'Business'],
    [3, 'Youth'],
  ])('card type %i is %s', async (cardType, cardTypeName) => {
    expect((await call.issue({ cardType })).body.data).toMatchObject({ cardType, cardTypeName })
  })

  test.each([
    ['userId', 'not-a-uuid'],
    ['userId', ''],
    ['userId', '\u0000'],
    ['userId', userIdEndingIn('999')],
    ['userId', undefined],
    ['userId', 11],
    ['cardType', 0],
    ['cardType', 4],
    ['cardType', 1.5],
    ['cardType', '1'],
    ['cardType', undefined],
    ['printedName', ''],
    ['printedName', '   '],
    ['printedName', 'x'.repeat(65)],
    ['printedName', 'Ana\u0000'],
    ['printedName', null],
    ['printedName', undefined],
    ['colour', 'red'],
  ])('400 names the field, and nothing is issued: %s %j', async (field, value) => {
    const { status, body } = await call.issue({ [field]: value })
    expect(status).toBe(400)
    expect(Object.keys(body.errors ?? {})).toEqual([field])
    expect(await stored()).toEqual([])
  })

  test('a printed name has up to 64 characters', async () => {
    expect((await call.issue({ printedName: 'x'.repeat(64) })).status).toBe(200)
  })

  test('401 without a token; 403 without the scope, naming it', async () => {
    expect((await box.call('POST', '/api/v1/cards', { body: {} })).status).toBe(401)
    const { status, body } = await call.issue({}, 'ana@example.com')
    expect(status).toBe(403)
    expect(body.title).toContain('core:cards:create')
  })

  test('twenty at once: twenty cards, twenty numbers', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => call.issue()))
    expect(new Set(answers.map(({ body }) => body.data?.cardNumber)).size).toBe(20)
    expect(await stored()).toHaveLength(20)
  })

  test('a number that is taken is drawn again; when none is free, 500 and nothing is issued', async () => {
    const drawn: Buffer[] = []
    const scripted = (numbers: readonly number[]) => {
      const left = [...numbers]
      return {
        bytes(length: number) {
          if (length !== 6) return systemRandomness.bytes(length)
          const bytes = Buffer.alloc(6)
          bytes.writeUIntBE(left.length > 1 ? left.shift()! : left[0]!, 0, 6)
          drawn.push(bytes)
          return bytes
        },
      }
    }
    const issue = (numbers: readonly number[]) =>
      issueCard(box.sandbox.world, { userId: ANA, cardType: 1, printedName: 'Ana Alvarez' }, scripted(numbers))
    await issue([7])
    await issue([7, 7, 8])
    expect(drawn).toHaveLength(4)
    expect(new Set((await stored()).map(({ card_number }) => card_number)).size).toBe(2)
    const log = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    await expect(issue([8])).rejects.toMatchObject({ problem: { status: 500, code: 'core::tessera::update::fail' } })
    log.mockRestore()
    expect(await stored()).toHaveLength(2)
  })
})

describe('list', () => {
  test('gives the caller’s own cards only, without their numbers, the latest first', async () => {
    const [first, second] = [await call.unissued(), await call.unissued()]
    const other = await call.unissued(BEN)
    expect(await listed('ana@example.com')).toMatchObject([
      { id: second.id, cardNumber: null, last4: second.number.slice(-4), userId: ANA },
      { id: first.id, cardNumber: null, last4: first.number.slice(-4), userId: ANA },
    ])
    expect(await listed('ben@example.com')).toMatchObject([{ id: other.id, cardNumber: null, userId: BEN }])
  })

  test('is empty for whoever has none, whatever their role', async () => {
    await call.unissued()
    for (const as of ['cleo@example.com', OPERATOR, 'admin@example.com', 'viewer@example.com']) {
      expect(await listed(as)).toEqual([])
    }
  })

  test('fits the contract, caps to the last place', async () => {
    const { id } = await call.unissued()
    await call.limits(
      id,
      '{"perTxnCap":0.00000001,"dailyCap":123456789012.12345678,"lifetimeCap":999999999999.99999999}',
    )
    const caps = { perTxnCap: '0.00000001', dailyCap: '123456789012.12345678', lifetimeCap: '999999999999.99999999' }
    const { data } = envelope(cards.list.data).parse(await raw('/api/v1/cards', 'ana@example.com'))
    expect(data.cards).toMatchObject([{ readable: true, value: { id, ...caps } }])
    const read = envelope(card).parse(await raw(`/api/v1/cards/${id}`, 'ana@example.com'))
    expect(read.data).toMatchObject(caps)
  })

  test('401 without a token; 403 without the scope', async () => {
    expect((await box.call('GET', '/api/v1/cards')).status).toBe(401)
    expect((await call.list('arbitrator@example.com')).status).toBe(403)
  })
})

describe('read', () => {
  test('the holder reads their own card with its number', async () => {
    const { id, number } = await call.unissued()
    const { status, body } = await call.read(id)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ id, cardNumber: number, last4: number.slice(-4), status: 'UNISSUED' })
  })

  test('to everyone else it does not exist: staff, admins, other holders', async () => {
    const { id } = await call.unissued()
    for (const as of ['ben@example.com', OPERATOR, 'admin@example.com', 'viewer@example.com']) {
      const answer = await call.read(id, as)
      expect([answer.status, codeOf(answer)]).toEqual([404, 'core::tessera::not_found'])
    }
  })

  test.each([['00000000-0000-4000-8000-00000000ffff'], ['unknown'], ['%00'], ['a%2Fb'], ['x'.repeat(5000)]])(
    '404 for an id that no card has: %s',
    async (id) => {
      const answer = await call.read(id)
      expect([answer.status, codeOf(answer)]).toEqual([404, 'core::tessera::not_found'])
    },
  )

  test('401 without a token; 403 without the scope', async () => {
    const { id } = await call.unissued()
    expect((await box.call('GET', `/api/v1/cards/${id}`)).status).toBe(401)
    expect((await call.read(id, 'arbitrator@example.com')).status).toBe(403)
  })
})
