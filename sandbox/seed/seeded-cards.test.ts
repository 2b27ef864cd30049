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
      body: { cardNumber: waiting?.cardNumber },
    })
    expect(status).toBe(200)
  })
})

test('no two cards have the same id or number', async () => {
  const all = (await Promise.all(HOLDERS.map(([, email]) => cardsOf(email)))).flat()
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
  expect(new Set(all.map(({ cardNumber }) => cardNumber)).size).toBe(all.length)
})
