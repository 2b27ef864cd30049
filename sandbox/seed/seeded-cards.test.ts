import { beforeAll, describe, expect, test } from 'vitest'
import type { Json, TestSandbox } from '#sandbox/testing/test-sandbox.ts'
import { testSandbox } from '#sandbox/testing/test-sandbox.ts'
import { HOLDERS } from './test-world.ts'

let box: TestSandbox

beforeAll(async () => {
  box = await testSandbox()
  await box.reset()
})

const cardsOf = async (as: string): Promise<readonly Json[]> =>
  (await box.call('GET', '/api/v1/cards', { as })).body.data?.cards as unknown as readonly Json[]

const numberOf = async (id: string, as: string): Promise<string> =>
  String((await box.call('GET', `/api/v1/cards/${id}`, { as })).body.data?.cardNumber)

describe.each(HOLDERS)('the cards of …%s', (_ending, email) => {
  test('are in every status, frozen and limited ones among them', async () => {
    const cards = await cardsOf(email)
    expect(new Set(cards.map(({ status }) => status))).toEqual(new Set(['UNISSUED', 'ACTIVE', 'BLOCKED']))
    expect(cards.filter(({ frozen }) => frozen).map(({ status }) => String(status))).toEqual(['ACTIVE'])
    const usable = cards.filter(({ status, frozen }) => String(status) === 'ACTIVE' && !frozen)
    expect(usable.filter(({ perTxnCap }) => perTxnCap !== null)).toHaveLength(1)
    expect(usable.filter(({ perTxnCap, dailyCap }) => perTxnCap === null && dailyCap === null)).toHaveLength(1)
  })

  test('one waits to be activated with its printed number', async () => {
    const waiting = (await cardsOf(email)).find(({ status }) => String(status) === 'UNISSUED')
    const { status } = await box.call('POST', `/api/v1/cards/${waiting?.id}/activate`, {
      as: email,
      body: { cardNumber: await numberOf(String(waiting?.id), email) },
    })
    expect(status).toBe(200)
  })
})

test('no two cards have the same id or number', async () => {
  const ids: string[] = []
  const numbers: string[] = []
  for (const [, email] of HOLDERS) {
    for (const card of await cardsOf(email)) {
      ids.push(String(card.id))
      numbers.push(await numberOf(String(card.id), email))
    }
  }
  expect(new Set(ids).size).toBe(ids.length)
  expect(new Set(numbers.filter((number) => /^\d{16}$/.test(number))).size).toBe(ids.length)
})
