import { renderToReadableStream, renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { ComingFacts, TransactionFact } from '#lib/disputes/queue/queue.ts'
import { FactAmount, FactsOfCases } from './facts-of-cases.tsx'
import { FactState } from './queue-cells.tsx'

const read: TransactionFact = { kind: 'read', debit: '20.50000000', state: 'DISPUTED', readAt: 1 }

const cells = (coming: ComingFacts, told = {}) => (
  <FactsOfCases coming={coming} streamed={told}>
    <p>
      <FactAmount reference="r1" />
      <FactState reference="r1" />
    </p>
  </FactsOfCases>
)

/** The parts of an answer, as they leave the server. */
async function partsOf(coming: ComingFacts, told = {}, onFirst = () => {}): Promise<readonly string[]> {
  const parts: string[] = []
  const decoder = new TextDecoder()
  for await (const part of await renderToReadableStream(cells(coming, told))) {
    parts.push(decoder.decode(part as Uint8Array, { stream: true }))
    onFirst()
  }
  return parts
}

test('what is known of a transaction stands in its place at once', () => {
  const html = renderToStaticMarkup(cells({ r1: read }))
  expect(html).toContain('20.50')
  expect(html).toContain('Disputed')
  expect(html).not.toContain('Reading')
})

test('what is not known yet follows in the same answer, behind an outline', async () => {
  const { promise, resolve } = Promise.withResolvers<TransactionFact>()
  const [first = '', ...later] = await partsOf({ r1: promise }, {}, () => resolve(read))
  expect(first).toContain('Reading')
  expect(first).not.toContain('20.50')
  expect(later.join('')).toContain('20.50')
})

test('what could not be read says so, and is no amount; what was told later takes its place', async () => {
  const unread = Promise.resolve<TransactionFact>({ kind: 'unread' })
  expect((await partsOf({ r1: unread })).join('')).toContain('Not read')
  const told = (await partsOf({ r1: unread }, { r1: { ...read, debit: '31.00000000', readAt: 2 } })).join('')
  expect(told).toContain('31.00')
  expect(told).not.toContain('Not read')
})

test('nothing that is known of it is an outline, and no empty place', () => {
  const html = renderToStaticMarkup(cells({}))
  expect(html.match(/Reading/g)).toHaveLength(2)
})
