import { beforeAll, expect, test } from 'vitest'
import { type Answered, type TestSandbox, testSandbox } from '#sandbox/testing/test-sandbox.ts'
import { ANA, cardCalls, enrolled, OPERATOR } from './test-cards.ts'

let box: TestSandbox

beforeAll(async () => {
  box = await testSandbox()
  await box.reset()
})

test('shows a card number to its issuer and holder only', async () => {
  const call = cardCalls(box)
  const grant = await enrolled(box, ANA)
  const issued = await call.issue()
  const id = String(issued.body.data?.id)
  const number = String(issued.body.data?.cardNumber)
  expect(number).toMatch(/^\d{16}$/)
  const tells = ({ body }: Answered) => JSON.stringify(body).includes(number)

  const silent = [
    await call.activate(id, `${number}1`),
    await call.activate(id, [number]),
    await call.activate(id, number, { as: 'ben@example.com' }),
    await call.activate(id, number),
    await call.activate(id, number),
    await call.freeze(id),
    await call.freeze(id),
    await call.unfreeze(id),
    await call.unfreeze(id, grant),
    await call.limits(id, '{"perTxnCap":5}'),
    await call.limits(id, '{"perTxnCap":0}'),
    await call.limits(id, '{}', grant),
    await call.read(id, OPERATOR),
    await call.read(id, 'admin@example.com'),
    await call.list(OPERATOR),
    await call.list('admin@example.com'),
    await call.list('ben@example.com'),
    await call.list(),
    await call.issue({ printedName: '' }),
    await call.block(id),
    await call.block(id),
  ]
  expect(silent.map(({ status }) => status)).toEqual([
    400, 400, 404, 200, 409, 200, 409, 403, 200, 200, 400, 200, 404, 404, 200, 200, 200, 200, 400, 200, 409,
  ])
  expect(silent.filter(tells)).toEqual([])
  expect(tells(await call.read(id))).toBe(true)
  expect(tells(await call.issue())).toBe(false)

  const log = await box.call('GET', '/sandbox/requests')
  expect(JSON.stringify(log.body)).toContain(id)
  expect(tells(log)).toBe(false)
})
