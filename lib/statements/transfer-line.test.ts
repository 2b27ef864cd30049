import { expect, vi } from 'vitest'
import { csvOf, importedAndRead, pageOf } from '#lib/testing/test-statement.ts'
import { serviceTest as test } from '#lib/testing/test-worlds.ts'

vi.mock('#lib/transactions/transaction-service.ts', async (importOriginal) => {
  const actual = await importOriginal<typeof import('#lib/transactions/transaction-service.ts')>()
  return {
    ...actual,
    async readTransaction(...args: Parameters<typeof actual.readTransaction>) {
      const read = await actual.readTransaction(...args)
      return read.ok ? { ...read, value: { ...read.value, transactionType: 'P2P' } } : read
    },
  }
})

test('a line that names a queued transfer says so', async ({ service, operator }) => {
  const id = await importedAndRead(operator, csvOf([{ reference: await service.announceDeposit('10') }]))
  const { lines, ready } = await pageOf(id)
  expect(lines[0]).toMatchObject({ status: 'refused', found: { state: 'QUEUED', amount: { match: true } } })
  expect(lines[0]?.note).toBe('This is a transfer between wallets. Only a deposit can be confirmed.')
  expect(ready.count).toBe(0)
})
