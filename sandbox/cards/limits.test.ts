import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestSandbox, testSandbox } from '#sandbox/testing/test-sandbox.ts'
import { ANA, BEN, cardCalls, codeOf, enrolled, notEnrolled } from './test-cards.ts'

let box: TestSandbox
let call: ReturnType<typeof cardCalls>

beforeAll(async () => {
  box = await testSandbox()
  call = cardCalls(box)
  await box.reset()
})
beforeEach(() => notEnrolled(box, [ANA, BEN]))

type Cap = string | number | null

const capsOf = async (id: string) => {
  const { data } = (await call.read(id)).body
  return [data?.perTxnCap, data?.dailyCap, data?.lifetimeCap]
}
const body = (perTxnCap: Cap, dailyCap: Cap, lifetimeCap: Cap) =>
  `{"perTxnCap":${perTxnCap},"dailyCap":${dailyCap},"lifetimeCap":${lifetimeCap}}`

async function limited(perTxnCap: Cap, dailyCap: Cap, lifetimeCap: Cap): Promise<string> {
  const { id } = await call.active()
  expect((await call.limits(id, body(perTxnCap, dailyCap, lifetimeCap))).status).toBe(200)
  return id
}

describe('a change of limits', () => {
  test('replaces all three and answers the card without its number', async () => {
    const { id } = await call.active()
    const { status, body: answered } = await call.limits(id, body('10.5', 100, 1000))
    expect(status).toBe(200)
    expect(answered.data).toMatchObject({ id, cardNumber: null, perTxnCap: 10.5, dailyCap: 100, lifetimeCap: 1000 })
    expect(await capsOf(id)).toEqual([10.5, 100, 1000])
    expect((await call.limits(id, body(1, 2, 3))).status).toBe(200)
    expect(await capsOf(id)).toEqual([1, 2, 3])
  })

  test('a field that is left out is null, and removes that cap', async () => {
    const id = await limited(1, 2, 3)
    const grant = await enrolled(box, ANA)
    expect((await call.limits(id, '{"dailyCap":2}', grant)).status).toBe(200)
    expect(await capsOf(id)).toEqual([null, 2, null])
    expect((await call.limits(id, '{}', grant)).status).toBe(200)
    expect(await capsOf(id)).toEqual([null, null, null])
  })

  test('equal caps are in order; any one may stand alone', async () => {
    const inOrder: readonly (readonly [Cap, Cap, Cap])[] = [
      [5, 5, 5],
      [5, null, null],
      [null, 5, null],
      [null, null, 5],
      [5, null, 5],
    ]
    for (const caps of inOrder) {
      const { id } = await call.active()
      expect((await call.limits(id, body(...caps))).status).toBe(200)
      expect(await capsOf(id)).toEqual(caps)
    }
  })

  test('is taken on a card that is UNISSUED or frozen', async () => {
    const { id } = await call.unissued()
    expect((await call.limits(id, body(1, 2, 3))).status).toBe(200)
    const frozen = (await call.active()).id
    await call.freeze(frozen)
    expect((await call.limits(frozen, body(1, 2, 3))).status).toBe(200)
  })

  test('401 without a token', async () => {
    const { id } = await call.active()
    expect((await box.call('PUT', `/api/v1/cards/${id}/limits`, { body: {} })).status).toBe(401)
  })
})

describe('validation', () => {
  test.each([
    ['zero', body(0, null, null), ['perTxnCap']],
    ['zero with places', body(null, '0.00', null), ['dailyCap']],
    ['below zero', body(null, null, -1), ['lifetimeCap']],
    ['nine places', body('0.000000001', null, null), ['perTxnCap']],
    ['nine places by exponent', body('1e-9', null, null), ['perTxnCap']],
    ['too large by exponent', body('1e999999', null, null), ['perTxnCap']],
    ['above by exponent', body('1e2', 10, null), ['perTxnCap']],
    ['too large', body(null, null, '1000000000000'), ['lifetimeCap']],
    ['all three zero', body(0, 0, 0), ['perTxnCap', 'dailyCap', 'lifetimeCap']],
    ['per transaction above daily', body('10.00000001', 10, null), ['perTxnCap']],
    ['daily above lifetime', body(null, '10.00000001', 10), ['dailyCap']],
    ['per transaction above lifetime', body('10.00000001', null, 10), ['perTxnCap']],
    ['above by text, below by value', body(9, 10, 8), ['dailyCap', 'perTxnCap']],
    [
      'apart only beyond what a float holds',
      body('999999999999.00000002', '999999999999.00000001', null),
      ['perTxnCap'],
    ],
  ])('400 core::tessera::limits::invalid: %s', async (_what, text, fields) => {
    const { id } = await call.active()
    const answer = await call.limits(id, text)
    expect([answer.status, codeOf(answer)]).toEqual([400, 'core::tessera::limits::invalid'])
    expect(Object.keys(answer.body.errors ?? {})).toEqual(fields)
    expect(answer.body.title).toMatch(/^The (per-transaction|daily|lifetime) cap (must|cannot) .*\.$/)
    expect(await capsOf(id)).toEqual([null, null, null])
  })

  test.each([
    ['{"perTxnCap":"5"}', 'perTxnCap'],
    ['{"dailyCap":true}', 'dailyCap'],
    ['{"lifetimeCap":[5]}', 'lifetimeCap'],
    ['{"weeklyCap":5}', 'weeklyCap'],
    ['[]', 'body'],
    ['null', 'body'],
  ])('400 names what is malformed: %s', async (text, field) => {
    const { id } = await call.active()
    const answer = await call.limits(id, text)
    expect(answer.status).toBe(400)
    expect(Object.keys(answer.body.errors ?? {})).toEqual([field])
  })

  test('9 is less than 10: caps compare as amounts', async () => {
    const { id } = await call.active()
    expect((await call.limits(id, body(9, 10, 100))).status).toBe(200)
  })

  test('comes before the state, the state before the step-up', async () => {
    const id = await limited(1, 2, 3)
    await enrolled(box, ANA)
    expect(codeOf(await call.limits(id, body(0, null, null)))).toBe('core::tessera::limits::invalid')
    expect(codeOf(await call.limits(id, '{}'))).toBe('core::gatekeeper::required')
    await call.block(id)
    expect(codeOf(await call.limits(id, body(0, null, null)))).toBe('core::tessera::limits::invalid')
    const answer = await call.limits(id, '{}')
    expect([answer.status, codeOf(answer)]).toEqual([409, 'core::tessera::request::invalid'])
    expect(await capsOf(id)).toEqual([1, 2, 3])
  })
})

describe('step-up', () => {
  const looser = [
    ['one raised', body(1, 2, '3.00000001')],
    ['one removed', body(null, 2, 3)],
    ['one raised, the others lowered', body('0.5', 1, 4)],
    ['all removed', '{}'],
  ] as const

  test.each(looser)('loosening is refused to whoever is not enrolled, grant or not: %s', async (_what, text) => {
    const id = await limited(1, 2, 3)
    const grant = await enrolled(box, ANA)
    await notEnrolled(box, [ANA])
    for (const request of [{}, grant]) {
      const answer = await call.limits(id, text, request)
      expect([answer.status, codeOf(answer)]).toEqual([403, 'core::gatekeeper::enrol::required'])
    }
    expect(await capsOf(id)).toEqual([1, 2, 3])
  })

  test.each(looser)('loosening needs a valid grant of the holder: %s', async (_what, text) => {
    const id = await limited(1, 2, 3)
    const bens = await enrolled(box, BEN)
    const grant = await enrolled(box, ANA)
    for (const request of [{}, bens, { headers: { 'x-step-up': 'nonsense' } }]) {
      const answer = await call.limits(id, text, request)
      expect([answer.status, codeOf(answer)]).toEqual([403, 'core::gatekeeper::required'])
    }
    expect(await capsOf(id)).toEqual([1, 2, 3])
    expect((await call.limits(id, text, grant)).status).toBe(200)
  })

  test.each([
    ['not enrolled', false],
    ['enrolled, without a grant', true],
  ])('tightening needs nothing extra: %s', async (_who, isEnrolled) => {
    const { id } = await call.active()
    if (isEnrolled) await enrolled(box, ANA)
    for (const text of ['{}', body(3, 4, null), body(3, 4, 5), body(3, 4, 5), body('2.99999999', 4, 5)]) {
      expect((await call.limits(id, text)).status).toBe(200)
    }
  })
})

describe('at once', () => {
  const sets = Array.from({ length: 20 }, (_, index) => index + 1).map((n) => [n, n * 10, n * 100] as const)

  test('twenty changes of a holder who may not loosen end at the tightest', async () => {
    const { id } = await call.active()
    const answers = await Promise.all(sets.map((caps) => call.limits(id, body(...caps))))
    expect(answers[0]?.status).toBe(200)
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect([answer.status, codeOf(answer)]).toEqual([403, 'core::gatekeeper::enrol::required'])
    }
    expect(await capsOf(id)).toEqual(sets[0])
  })

  test('twenty changes of a holder with a grant all count, and end as one of them', async () => {
    const { id } = await call.active()
    const grant = await enrolled(box, ANA)
    const answers = await Promise.all(sets.map((caps) => call.limits(id, body(...caps), grant)))
    expect(answers.map(({ status }) => status)).toEqual(sets.map(() => 200))
    expect(sets).toContainEqual(await capsOf(id))
  })
})
