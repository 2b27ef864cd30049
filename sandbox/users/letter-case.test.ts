import { beforeAll, beforeEach, expect, test } from 'vitest'
import { newHolder } from '#sandbox/testing/new-holder.ts'
import { type TestSandbox, testSandbox } from '#sandbox/testing/test-sandbox.ts'

let box: TestSandbox

beforeAll(async () => {
  box = await testSandbox()
})
beforeEach(() => box.reset())

const OPERATOR = 'operator@example.com'

test('reads the history of a user in either letter case', async () => {
  const { id, email } = await newHolder(box)
  await box.call('POST', '/api/v1/Transaction/deposit', { as: email, body: { amount: 5 } })
  for (const as of [OPERATOR, email]) {
    const { body } = await box.call('GET', `/api/v1/Transaction/account/${id.toUpperCase()}`, { as })
    expect(body.data?.totalCount).toBe(1)
  }
})

test('reads the scopes of a user in either letter case', async () => {
  const { id, email } = await newHolder(box)
  for (const as of [OPERATOR, email]) {
    expect((await box.call('GET', `/api/v1/Users/${id.toUpperCase()}/scopes`, { as })).status).toBe(200)
  }
})

test('issues a card to a holder in either letter case', async () => {
  const { id } = await newHolder(box)
  const body = { userId: id.toUpperCase(), cardType: 1, printedName: 'Ana' }
  const { body: issued } = await box.call('POST', '/api/v1/cards', { as: OPERATOR, body })
  expect(issued.data?.userId).toBe(id)
})

test('transfers to a recipient in either letter case, not to oneself', async () => {
  const { id, email } = await newHolder(box)
  const to = (recipientId: string, as: string) =>
    box.call('POST', '/api/v1/Transaction/p2p', { as, body: { recipientId, amount: 1 } })
  const own = await to(id.toUpperCase(), email)
  expect(own.body.title).toBe('Nobody can pay themselves.')
  const paid = await to(id.toUpperCase(), 'ben@example.com')
  expect(paid.status).toBe(200)
})
