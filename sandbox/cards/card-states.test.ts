import { beforeAll, describe, expect, test } from 'vitest'
import { type TestSandbox, testSandbox } from '#sandbox/testing/test-sandbox.ts'
import { ANA, BEN, cardCalls, codeOf, enrolled, notEnrolled } from './test-cards.ts'

const BEN_SIGNED_IN = { as: 'ben@example.com' }

let box: TestSandbox
let call: ReturnType<typeof cardCalls>

beforeAll(async () => {
  box = await testSandbox()
  call = cardCalls(box)
  await box.reset()
})

const stateOf = async (id: string) => {
  const { data } = (await call.read(id)).body
  return { status: data?.status, frozen: data?.frozen }
}
const conflict = { status: 409, body: { type: 'urn:ocs:error:core::tessera::request::invalid' } }
const many = <Answer>(count: number, ask: () => Promise<Answer>) => Promise.all(Array.from({ length: count }, ask))
const successes = (answers: readonly { readonly status: number }[]) =>
  answers.filter(({ status }) => status === 200).length

describe('activate', () => {
  test('an UNISSUED card becomes ACTIVE with the printed number, and says when', async () => {
    const { id, number } = await call.unissued()
    const { status, body } = await call.activate(id, number)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ id, status: 'ACTIVE', frozen: false, cardNumber: null })
    expect(body.data?.activatedAt).toMatch(/\.\d{7}Z$/)
    expect((await call.read(id)).body.data).toMatchObject({ status: 'ACTIVE', activatedAt: body.data?.activatedAt })
  })

  test.each([[' '], ['-'], ['–'], [' - '], ['\u00a0']])('spacing and dashes are tolerated: %j', async (between) => {
    const { id, number } = await call.unissued()
    const typed = ` ${number.match(/\d{4}/g)?.join(between)} `
    expect((await call.activate(id, typed)).status).toBe(200)
  })

  test.each([
    ['another digit', (number: string) => `${number.slice(0, -1)}${(Number(number.at(-1)) + 1) % 10}`],
    ['the last four', (number: string) => number.slice(-4)],
    ['a digit more', (number: string) => `${number}0`],
    ['letters between', (number: string) => `x${number}`],
    ['nothing', () => ''],
    ['dashes alone', () => ' - '],
    ['a number, not a text', (number: string) => Number(number)],
    ['null', () => null],
    ['no field', () => undefined],
  ])('400 names the field, and the card stays UNISSUED: %s', async (_what, typed) => {
    const { id, number } = await call.unissued()
    const answer = await call.activate(id, typed(number))
    expect(answer.status).toBe(400)
    expect(Object.keys(answer.body.errors ?? {})).toEqual(['cardNumber'])
    expect(await stateOf(id)).toEqual({ status: 'UNISSUED', frozen: false })
  })

  test('the number of another card of the same holder does not do', async () => {
    const [card, other] = [await call.unissued(), await call.unissued()]
    expect((await call.activate(card.id, other.number)).status).toBe(400)
  })

  test('409 when it is ACTIVE or BLOCKED, whatever the number', async () => {
    const { id, number } = await call.active()
    expect(await call.activate(id, number)).toMatchObject(conflict)
    expect(await call.activate(id, 'wrong')).toMatchObject(conflict)
    await call.block(id)
    expect(await call.activate(id, number)).toMatchObject(conflict)
  })

  test('twenty at once: one succeeds', async () => {
    const { id, number } = await call.unissued()
    const answers = await many(20, () => call.activate(id, number))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 409)])
  })
})

describe('freeze', () => {
  test('the card stays ACTIVE, and says since when it is frozen', async () => {
    const { id } = await call.active()
    const { status, body } = await call.freeze(id)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ id, status: 'ACTIVE', frozen: true, cardNumber: null })
    expect(body.data?.frozenAt).toMatch(/\.\d{7}Z$/)
  })

  test('409 when it is frozen, UNISSUED or BLOCKED', async () => {
    const { id } = await call.active()
    await call.freeze(id)
    expect(await call.freeze(id)).toMatchObject(conflict)
    expect(await call.freeze((await call.unissued()).id)).toMatchObject(conflict)
    await call.block(id)
    expect(await call.freeze(id)).toMatchObject(conflict)
  })

  test('twenty at once: one succeeds', async () => {
    const { id } = await call.active()
    expect(successes(await many(20, () => call.freeze(id)))).toBe(1)
    expect(await stateOf(id)).toEqual({ status: 'ACTIVE', frozen: true })
  })
})

describe('unfreeze', () => {
  test('restores spending, and forgets since when it was frozen', async () => {
    const { id } = await call.active()
    await call.freeze(id)
    const { status, body } = await call.unfreeze(id)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ id, status: 'ACTIVE', frozen: false, frozenAt: null, cardNumber: null })
  })

  test('409 when it is not frozen, or UNISSUED, or BLOCKED while frozen', async () => {
    const { id } = await call.active()
    expect(await call.unfreeze(id)).toMatchObject(conflict)
    expect(await call.unfreeze((await call.unissued()).id)).toMatchObject(conflict)
    await call.freeze(id)
    await call.block(id)
    expect(await call.unfreeze(id)).toMatchObject(conflict)
    expect(await stateOf(id)).toEqual({ status: 'BLOCKED', frozen: true })
  })

  test('an enrolled holder needs a grant of their own; freezing is never gated', async () => {
    const { id } = await call.active('ben@example.com', BEN)
    const bens = await enrolled(box, BEN)
    const anas = await enrolled(box, ANA)
    expect((await call.freeze(id, BEN_SIGNED_IN)).status).toBe(200)
    for (const refused of [{}, { headers: { 'x-step-up': 'nonsense' } }, anas]) {
      const answer = await call.unfreeze(id, { ...BEN_SIGNED_IN, ...refused })
      expect([answer.status, codeOf(answer)]).toEqual([403, 'core::gatekeeper::required'])
    }
    expect((await call.unfreeze(id, { ...BEN_SIGNED_IN, ...bens })).status).toBe(200)
    await notEnrolled(box, [ANA, BEN])
  })
})

describe('block', () => {
  test.each([
    ['UNISSUED', () => call.unissued()],
    ['ACTIVE', () => call.active()],
    [
      'frozen',
      async () => {
        const card = await call.active()
        await call.freeze(card.id)
        return card
      },
    ],
  ])('is taken from any state: %s', async (_state, make) => {
    const { id } = await make()
    const { status, body } = await call.block(id)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ id, userId: ANA, status: 'BLOCKED', cardNumber: null })
  })

  test('is permanent: nothing more can be done to the card, by anyone', async () => {
    const { id, number } = await call.active()
    await call.block(id)
    const tries = [
      call.block(id),
      call.activate(id, number),
      call.freeze(id),
      call.unfreeze(id),
      call.limits(id, '{"perTxnCap":1}'),
    ]
    for (const answer of await Promise.all(tries)) expect(answer).toMatchObject(conflict)
    expect(await stateOf(id)).toEqual({ status: 'BLOCKED', frozen: false })
  })

  test('twenty at once: one succeeds', async () => {
    const { id } = await call.active()
    expect(successes(await many(20, () => call.block(id)))).toBe(1)
  })

  test('a freeze at the same time ends blocked, frozen exactly if the freeze was told that it came first', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id } = await call.active()
      const [frozen, blocked] = await Promise.all(
        round % 2 === 0 ? [call.freeze(id), call.block(id)] : [call.block(id), call.freeze(id)].reverse(),
      )
      expect(blocked?.status).toBe(200)
      expect(await stateOf(id)).toEqual({ status: 'BLOCKED', frozen: frozen?.status === 200 })
    }
  })
})
