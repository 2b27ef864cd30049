import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Session } from '#lib/session/session.ts'
import { findLine } from '#lib/store/statement-lines.ts'
import { store } from '#lib/store/store.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { type TestService, testService } from '#lib/testing/test-service.ts'
import { signedIn } from '#lib/testing/test-session.ts'
import {
  csvOf,
  MAPPING,
  pageOf,
  standingsOf,
  takeForTest,
  takenAndRead,
  toItsEnd,
} from '#lib/testing/test-statement.ts'
import { editLine } from './edit-line.ts'
import { startLookUp } from './look-up.ts'
import { takeStatement } from './take.ts'

const OPERATOR = '00000000-0000-4000-8000-000000000001'
const pathOf = (reference: string): string => `/api/v1/Transaction/${encodeURIComponent(reference)}`

let service: TestService
let operator: Session

beforeAll(async () => {
  service = await testService()
})

beforeEach(async () => {
  await freshConsole({ CORE_API_URL: service.url })
  await service.call('POST', '/sandbox/reset')
  operator = await signedIn(service, 'operator@example.com', OPERATOR)
})

describe('taking a file', () => {
  test('the same file again leads to the statement that it made', async () => {
    const bytes = csvOf([{ reference: 'A' }])
    const id = await takeForTest(operator, bytes)
    const again = await takeStatement(operator, { name: 'other name.csv', bytes, mapping: null })
    expect(again).toEqual({ kind: 'taken', id, already: true })
  })

  test('the same file twice at once is one statement', async () => {
    const bytes = csvOf([{ reference: 'A' }, { reference: 'B' }])
    const file = { name: 'July.csv', bytes, mapping: MAPPING }
    const [one, other] = await Promise.all([takeStatement(operator, file), takeStatement(operator, file)])
    expect(one).toMatchObject({ kind: 'taken' })
    expect(one.kind === 'taken' && other.kind === 'taken' && one.id === other.id).toBe(true)
  })

  test('a line that an earlier statement has is parked, and says where it was seen', async () => {
    const line = { reference: 'A', bank: 'ATL-SAME', text: 'rent' }
    const first = await takeForTest(operator, csvOf([{ reference: 'B' }, line]))
    const second = await takeForTest(operator, csvOf([line, { reference: 'C' }]))
    const { lines } = await pageOf(second)
    expect(lines.map(({ standing }) => standing)).toEqual(['parked', 'unread'])
    expect(lines[0]?.seen).toEqual({ statementId: first, number: 2 })
  })

  test('columns are mapped once; other columns are mapped anew', async () => {
    const unmapped = await takeStatement(operator, { name: 'a', bytes: csvOf([{ reference: 'A' }]), mapping: null })
    expect(unmapped).toMatchObject({ kind: 'columns', head: { columns: ['Ref', 'Amount', 'Bank ref', 'Text'] } })
    await takeForTest(operator, csvOf([{ reference: 'A' }]))
    const mapped = await takeStatement(operator, { name: 'b', bytes: csvOf([{ reference: 'B' }]), mapping: null })
    expect(mapped).toMatchObject({ kind: 'taken', already: false })
    const others = await takeStatement(operator, { name: 'c', bytes: Buffer.from('X,Y\n1,2'), mapping: null })
    expect(others.kind).toBe('columns')
  })

  test('of a broken file nothing is taken, and the lines that are wrong are told', async () => {
    const bytes = csvOf([{ reference: 'A' }, { reference: 'B', amount: 'much' }])
    const taken = await takeStatement(operator, { name: 'a', bytes, mapping: MAPPING })
    expect(taken).toMatchObject({ kind: 'broken', faults: [{ place: 3 }] })
    const mended = await takeStatement(operator, { name: 'a', bytes, mapping: { ...MAPPING, amount: 'Amount' } })
    expect(mended.kind).toBe('broken')
  })

  test.each([
    ['empty', new Uint8Array(), /empty/],
    ['too large', new Uint8Array(5 * 1024 * 1024 + 1).fill(0x41), /5 MB/],
    ['too long', csvOf(Array.from({ length: 10_001 }, (_unused, at) => ({ reference: `R${at}` }))), /10,001/],
    ['holding a NUL', Buffer.from('Ref,Amount,Bank ref,Text\nA\u0000,1,B,'), /NUL/],
  ])('a file that is %s is refused', async (_name, bytes, what) => {
    const taken = await takeStatement(operator, { name: 'a', bytes, mapping: MAPPING })
    expect(taken.kind === 'broken' && taken.faults[0]?.what).toMatch(what)
  })
})

describe('looking lines up', () => {
  test('each reference once, and every line says for itself what agrees', async () => {
    const [good, less, gone] = [await service.announceDeposit('10'), await service.announceDeposit('250'), 'NO SUCH']
    const before = await service.arrived('GET', pathOf(good))
    const id = await takenAndRead(
      operator,
      csvOf([{ reference: good }, { reference: less, amount: '200' }, { reference: gone }, {}, { reference: good }]),
    )
    expect(await standingsOf(id)).toEqual(['ready', 'mismatched', 'unknown', 'unknown', 'mismatched'])
    const { lines, counts, ready } = await pageOf(id)
    expect(lines.map(({ hold }) => hold)).toEqual([null, null, null, null, 'other-line'])
    expect(lines[1]?.found).toEqual({ state: 'QUEUED', debit: '250.00000000' })
    expect(counts).toEqual({ ready: 1, mismatched: 2, unknown: 2 })
    expect(ready).toMatchObject({ count: 1, sum: '10.00' })
    await expect.poll(() => service.arrived('GET', pathOf(good))).toBe(before + 1)
  })

  test('one line by itself stands where it stands among all', async () => {
    const [one, two] = [await service.announceDeposit('10'), await service.announceDeposit('10')]
    const id = await takenAndRead(
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
      return lines.map((line) => line?.standing)
    }
    expect(await standingsOf(id)).toEqual(['ready', 'mismatched', 'mismatched', 'mismatched'])
    expect(await alone()).toEqual(await standingsOf(id))
    await editLine(operator, id, 1, { act: 'park', reason: 'x' })
    await editLine(operator, id, 3, { act: 'park', reason: 'x' })
    expect(await standingsOf(id)).toEqual(['parked', 'ready', 'parked', 'ready'])
    expect(await alone()).toEqual(await standingsOf(id))
  })

  test('in free text a known reference is recognised, whole; nothing else is', async () => {
    const known = await service.announceDeposit('10')
    const id = await takenAndRead(operator, csvOf([{ reference: known, amount: '9' }]))
    expect(await standingsOf(id)).toEqual(['mismatched'])
    const told = await takenAndRead(
      operator,
      csvOf([{ text: `deposit ${known} thanks` }, { text: `deposit ${known}x` }, { text: 'nothing' }]),
    )
    const { lines } = await pageOf(told)
    expect(lines.map(({ sought, soughtFrom }) => [sought, soughtFrom])).toEqual([
      [known, 'text'],
      ['', 'field'],
      ['', 'field'],
    ])
    expect(lines[0]?.standing).toBe('ready')
  })

  test('a reference and a bank reference that are missing are entered by hand', async () => {
    const reference = await service.announceDeposit('10')
    const id = await takenAndRead(operator, csvOf([{ bank: '' }]))
    expect(await editLine(operator, id, 1, { act: 'reference', reference })).toBeNull()
    expect((await pageOf(id)).lines[0]).toMatchObject({ standing: 'mismatched', hold: 'no-bank-reference' })
    expect(await editLine(operator, id, 1, { act: 'bank-reference', bankReference: ' B-1 ' })).toBeNull()
    expect(await standingsOf(id)).toEqual(['by-hand'])
  })

  test('a look that comes late says nothing of a line that names another reference by now', async () => {
    const [slow, other] = [await service.announceDeposit('10'), await service.announceDeposit('20')]
    await service.fault('GET', pathOf(slow), { delayMs: 2_000 }, 1)
    const id = await takeForTest(operator, csvOf([{ reference: slow, amount: '10' }]))
    await toItsEnd(async (detach) => {
      await startLookUp(operator, id, detach)
      await editLine(operator, id, 1, { act: 'reference', reference: other })
    })
    expect((await pageOf(id)).lines[0]).toMatchObject({ sought: other, found: { debit: '20.00000000' } })
    expect(await standingsOf(id)).toEqual(['mismatched'])
  })

  test('a line is parked with a reason, and taken up again', async () => {
    const id = await takenAndRead(operator, csvOf([{ reference: await service.announceDeposit('10') }]))
    expect(await editLine(operator, id, 1, { act: 'park', reason: ' ' })).toMatch(/why/)
    expect(await editLine(operator, id, 1, { act: 'park', reason: 'asked the bank' })).toBeNull()
    expect((await pageOf(id)).lines[0]).toMatchObject({
      standing: 'parked',
      parked: { reason: 'asked the bank', by: 'operator@example.com' },
    })
    await editLine(operator, id, 1, { act: 'unpark' })
    expect(await standingsOf(id)).toEqual(['ready'])
  })

  test('while the service is down a line says so, and can be looked up again', async () => {
    const reference = await service.announceDeposit('10')
    await service.fault('GET', pathOf(reference), { status: 500, code: 'core::server::fail', title: 'Broken' }, 10)
    const id = await takenAndRead(operator, csvOf([{ reference }]))
    expect((await pageOf(id)).lines[0]).toMatchObject({ standing: 'unread', problem: 'The service could not answer' })
    await service.call('DELETE', '/sandbox/faults')
    await toItsEnd((detach) => startLookUp(operator, id, detach))
    expect(await standingsOf(id)).toEqual(['ready'])
  })
})
