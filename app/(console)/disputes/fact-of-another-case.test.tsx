// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest'
import type { ComingFacts, TransactionFact } from '#lib/disputes/queue/queue.ts'
import { closePage, renderPage } from '#lib/testing/render-page.ts'
import { FactAmount, FactsOfCases } from './facts-of-cases.tsx'
import { FactState } from './queue-cells.tsx'

afterEach(closePage)

const textOf = async (coming: ComingFacts, reference: string) => {
  const page = await renderPage(
    <FactsOfCases coming={coming}>
      <FactAmount reference={reference} />
      <FactState reference={reference} />
    </FactsOfCases>,
  )
  return page.textContent
}

test('a cell never shows the fact of another transaction', async () => {
  const { promise } = Promise.withResolvers<TransactionFact>()
  const read = { kind: 'read', debit: '20.50000000', state: 'DISPUTED', readAt: 1 } as const
  expect(await textOf({ r1: read }, 'r1')).toMatch(/20\.50.*Disputed/)
  expect(await textOf({ r2: promise }, 'r2')).not.toMatch(/20\.50|Disputed/)
})

test('a refresh keeps the first fact of the same transaction', async () => {
  const { promise } = Promise.withResolvers<TransactionFact>()
  const read = { kind: 'read', debit: '20.50000000', state: 'DISPUTED', readAt: 1 } as const
  await textOf({ r1: read }, 'r1')
  expect(await textOf({ r1: promise }, 'r1')).toMatch(/20\.50.*Disputed/)
})
