import { beforeEach, describe, expect, test } from 'vitest'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { freshWorld, type TestService } from '#lib/testing/test-service.ts'
import { signedIn } from '#lib/testing/test-session.ts'
import {
  csvOf,
  importedAndRead,
  importForTest,
  MAPPING,
  pageOf,
  statusesOf,
  toItsEnd,
} from '#lib/testing/test-statement.ts'
import { editLine } from './edit-line.ts'
import { importStatement } from './import.ts'
import { startMatching } from './match-lines.ts'
import { findLine } from './shown-line.ts'

const OPERATOR = '00000000-0000-4000-8000-000000000001'
const pathOf = (reference: string): string => `/api/v1/Transaction/${encodeURIComponent(reference)}`

let service: TestService
let operator: Session

beforeEach(async () => {
  service = await freshWorld()
  operator = await signedIn(service, 'operator@example.com', OPERATOR)
})

describe('importing a file', () => {
  test('the same file again leads to the statement that it made', async () => {
    const bytes = csvOf([{ reference: 'A' }])
    const id = await importForTest(operator, bytes)
    const again = await importStatement(operator, { name: 'other name.csv', bytes, mapping: null })
    expect(again).toEqual({ kind: 'imported', id, already: true })
  })

  test('the same file twice at once is one statement', async () => {
    const bytes = csvOf([{ reference: 'A' }, { reference: 'B' }])
    const file = { name: 'July.csv', bytes, mapping: MAPPING }
    const [one, other] = await Promise.all([importStatement(operator, file), importStatement(operator, file)])
    expect(one).toMatchObject({ kind: 'imported' })
    expect(one.kind === 'imported' && other.kind === 'imported' && one.id === other.id).toBe(true)
  })

  test('a line that an earlier statement has is set aside, and says where it was seen', async () => {
    const line = { reference: 'A', bank: 'ATL-SAME', text: 'rent' }
    const first = await importForTest(operator, csvOf([{ reference: 'B' }, line]))
    const second = await importForTest(operator, csvOf([line, { reference: 'C' }]))
    const { lines } = await pageOf(second)
    expect(lines.map(({ status }) => status)).toEqual(['set-aside', 'unread'])
    expect(lines[0]?.seen).toEqual({ statementId: first, number: 2, fileName: 'July.csv' })
  })

  test('columns are mapped once; other columns are mapped anew', async () => {
    const unmapped = await importStatement(operator, { name: 'a', bytes: csvOf([{ reference: 'A' }]), mapping: null })
    expect(unmapped).toMatchObject({ kind: 'columns', head: { columns: ['Ref', 'Amount', 'Bank ref', 'Text'] } })
    await importForTest(operator, csvOf([{ reference: 'A' }]))
    const mapped = await importStatement(operator, { name: 'b', bytes: csvOf([{ reference: 'B' }]), mapping: null })
    expect(mapped).toMatchObject({ kind: 'imported', already: false })
    const others = await importStatement(operator, { name: 'c', bytes: Buffer.from('X,Y\n1,2'), mapping: null })
    expect(others.kind).toBe('columns')
  })

  test('of a broken file nothing is taken, and the lines that are wrong are told', async () => {
    const bytes = csvOf([{ reference: 'A' }, { reference: 'B', amount: 'much' }])
    const taken = await importStatement(operator, { name: 'a', bytes, mapping: MAPPING })
    expect(taken).toMatchObject({ kind: 'broken', faults: [{ place: 3 }] })
    const mended = await importStatement(operator, { name: 'a', bytes, mapping: { ...MAPPING, amount: 'Amount' } })
    expect(mended.kind).toBe('broken')
  })

  test.each([
    ['empty', new Uint8Array(), /empty/],
    ['too large', new Uint8Array(5 * 1024 * 1024 + 1).fill(0x41), /5 MB/],
    ['too long', csvOf(Array.from({ length: 10_001 }, (_unused, at) => ({ reference: `R${at}` }))), /10,001/],
    ['holding a NUL', Buffer.from('Ref,Amount,Bank ref,Text\nA\u0000,1,B,'), /NUL/],
  ])('a file that is %s is refused', async (_name, bytes, what) => {
    const taken = await importStatement(operator, { name: 'a', bytes, mapping: MAPPING })
    expect(taken.kind === 'broken' && taken.faults[0]?.what).toMatch(what)
  })
})

describe('looking lines up', () => {
  test('each reference once, and every line says for itself what agrees', async () => {
    const [good, less, gone] = [await service.announceDeposit('10'), await service.announceDeposit('250'), 'NO SUCH']
    const before = await service.arrived('GET', pathOf(good))
    const id = await importedAndRead(
      operator,
      csvOf([{ reference: good }, { reference: less, amount: '200' }, { reference: gone }, {}, { reference: good }]),
    )
    expect(await statusesOf(id)).toEqual(['ready', 'mismatched', 'unknown', 'unknown', 'mismatched'])
    const { lines, counts, ready } = await pageOf(id)
    expect(lines.map(({ hold }) => hold)).toEqual([null, null, null, null, 'other-line'])
    const amount = { match: false, difference: '50.00000000', statementIsMore: false }
    expect(lines[1]?.found).toEqual({ state: 'QUEUED', debit: '250.00000000', amount })
    expect(counts).toEqual({ ready: 1, mismatched: 2, unknown: 2 })
    expect(ready).toMatchObject({ count: 1, sum: '10.00' })
    await expect.poll(() => service.arrived('GET', pathOf(good))).toBe(before + 1)
  })

  test('one line by itself stands where it stands among all', async () => {
    const [one, two] = [await service.announceDeposit('10'), await service.announceDeposit('10')]
    const id = await importedAndRead(
      operator,
      csvOf([
        { reference: one, bank: 'T-1' },
        { reference: one, bank: 'T-2' },
        { reference: two, bank: 't-1' },
        { reference: two, bank: 'T-3' },
      ]),
    )
    const alone = async () => {
      const lines = await Promise.all([1, 2, 3, 4].map(async (number) => findLine(await store(), id, number)))
      return lines.map((line) => line?.status)
    }
    expect(await statusesOf(id)).toEqual(['ready', 'mismatched', 'mismatched', 'mismatched'])
    expect(await alone()).toEqual(await statusesOf(id))
    await editLine(operator, id, 1, { act: 'set-aside', reason: 'x' })
    await editLine(operator, id, 3, { act: 'set-aside', reason: 'x' })
    expect(await statusesOf(id)).toEqual(['set-aside', 'ready', 'set-aside', 'ready'])
    expect(await alone()).toEqual(await statusesOf(id))
  })

  test('a reference and a bank reference that are missing are entered by hand', async () => {
    const reference = await service.announceDeposit('10')
    const id = await importedAndRead(operator, csvOf([{ bank: '' }]))
    expect(await editLine(operator, id, 1, { act: 'reference', reference })).toBeNull()
    expect((await pageOf(id)).lines[0]).toMatchObject({ status: 'mismatched', hold: 'no-bank-reference' })
    expect(await editLine(operator, id, 1, { act: 'bank-reference', bankReference: ' B-1 ' })).toBeNull()
    expect(await statusesOf(id)).toEqual(['by-hand'])
  })

  test('a look that comes late says nothing of a line that names another reference by now', async () => {
    const [slow, other] = [await service.announceDeposit('10'), await service.announceDeposit('20')]
    await service.fault('GET', pathOf(slow), 'hold', 1)
    const id = await importForTest(operator, csvOf([{ reference: slow, amount: '10' }]))
    await toItsEnd(async (detach) => {
      await startMatching(operator, id, detach)
      await service.held(1)
      await editLine(operator, id, 1, { act: 'reference', reference: other })
      await service.clearFaults()
    })
    expect((await pageOf(id)).lines[0]).toMatchObject({ sought: other, found: { debit: '20.00000000' } })
    expect(await statusesOf(id)).toEqual(['mismatched'])
  })

  test('a line is set aside with a reason, and taken up again', async () => {
    const id = await importedAndRead(operator, csvOf([{ reference: await service.announceDeposit('10') }]))
    expect(await editLine(operator, id, 1, { act: 'set-aside', reason: ' ' })).toMatch(/why/)
    expect(await editLine(operator, id, 1, { act: 'set-aside', reason: 'asked the bank' })).toBeNull()
    expect((await pageOf(id)).lines[0]).toMatchObject({
      status: 'set-aside',
      setAside: { reason: 'asked the bank', by: 'operator@example.com' },
    })
    await editLine(operator, id, 1, { act: 'put-back' })
    expect(await statusesOf(id)).toEqual(['ready'])
  })

  test('while the service is down a line says so, and can be looked up again', async () => {
    const reference = await service.announceDeposit('10')
    await service.fault('GET', pathOf(reference), { status: 500, code: 'core::server::fail', title: 'Broken' }, 10)
    const id = await importedAndRead(operator, csvOf([{ reference }]))
    expect((await pageOf(id)).lines[0]).toMatchObject({ status: 'unread', problem: 'The service could not answer' })
    await service.call('DELETE', '/sandbox/faults')
    await toItsEnd((detach) => startMatching(operator, id, detach))
    expect(await statusesOf(id)).toEqual(['ready'])
  })
})
