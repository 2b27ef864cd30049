import { expect, vi } from 'vitest'
import { csvOf, importedAndRead, pageOf } from '#lib/testing/test-statement.ts'
import { serviceTest as test } from '#lib/testing/test-worlds.ts'

const found = vi.hoisted(() => ({ change: {} }))
vi.mock('#lib/transactions/transaction-service.ts', async (importOriginal) => {
  const actual = await importOriginal<typeof import('#lib/transactions/transaction-service.ts')>()
  return {
    ...actual,
    async readTransaction(...args: Parameters<typeof actual.readTransaction>) {
      const read = await actual.readTransaction(...args)
      return read.ok ? { ...read, value: { ...read.value, ...found.change } } : read
    },
  }
})

test('a line that names a queued transfer says so', async ({ service, operator }) => {
  found.change = { transactionType: 'P2P' }
  const id = await importedAndRead(operator, csvOf([{ reference: await service.announceDeposit('10') }]))
  const { lines, ready } = await pageOf(id)
  expect(lines[0]).toMatchObject({ status: 'refused', found: { state: 'QUEUED', amount: { match: true } } })
  expect(lines[0]?.note).toBe('This is a transfer between wallets. Only a deposit can be confirmed.')
  expect(ready.count).toBe(0)
})

test('a line that names a deposit of a larger credit says so', async ({ service, operator }) => {
  found.change = { credit: '12.00000000' }
  const id = await importedAndRead(operator, csvOf([{ reference: await service.announceDeposit('10') }]))
  expect((await pageOf(id)).lines[0]?.note).toBe(
    'The recipient would get 2.00 more than the sender pays. Don’t confirm it; report it.',
  )
})
