import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { CHANGES_MAX } from '#lib/commands/rate-limit.ts'
import { insertDraft } from '#lib/commands/store.ts'
import { store } from '#lib/store/store.ts'
import {
  csvOf,
  importedAndRead,
  importForTest,
  MAPPING,
  pageOf,
  statusesOf,
  toItsEnd,
} from '#lib/testing/test-statement.ts'
import { serviceTest } from '#lib/testing/test-worlds.ts'
import { editLine } from './edit-line.ts'
import { readPackedFile } from './file/read-file.ts'
import type { ColumnMapping } from './file/statement.ts'
import { importStatement, TooManyChanges, type UploadedFile } from './import.ts'
import { startMatching } from './match-lines.ts'
import { findLine } from './shown-lines.ts'

const upload = { name: 'July.csv', mapping: null, seal: null, reason: '', replaces: null }
/** Of a table whose columns were mapped before. */
const columns = { ...MAPPING, bookedOn: 0, amount: 1, reference: 2, bankReference: null, text: null }
const pathOf = (reference: string): string => `/api/v1/Transaction/${encodeURIComponent(reference)}`

const test = serviceTest
  .extend('give', ({ operator }) => (bytes: Uint8Array, given: Partial<UploadedFile> = {}) => {
    return importStatement(operator, { ...upload, bytes, ...given }, readPackedFile)
  })
  /** The preview that must come of a file. */
  .extend('previewOf', ({ give }) => async (bytes: Uint8Array, mapping: ColumnMapping | null = MAPPING) => {
    const answer = await give(bytes, { mapping })
    if (answer.kind !== 'preview') throw new Error(JSON.stringify(answer))
    return answer.preview
  })
  .extend(
    'importTable',
    ({ give, previewOf }) =>
      async (bytes: Uint8Array, decimalMark: ColumnMapping['decimalMark']): Promise<void> => {
        const mapping = { ...columns, decimalMark }
        const { seal } = await previewOf(bytes, mapping)
        expect(await give(bytes, { mapping, seal })).toMatchObject({ kind: 'imported' })
      },
  )

describe('importing a file', () => {
  const stored = async () => (await (await store()).selectFrom('statement').select('id').execute()).map(({ id }) => id)

  test('previews it first and stores nothing', async ({ previewOf }) => {
    const bytes = csvOf([{ reference: 'A', amount: '1250.50' }, { reference: 'B' }, { reference: 'C', amount: '-3' }])
    expect(await previewOf(bytes)).toMatchObject({
      lines: 2,
      leftOut: 1,
      isChanged: false,
      mapping: { ...MAPPING, decimalMark: 'point' },
      summary: {
        counts: { 'paid-out': 1 },
        totals: [{ currency: '', count: 2, sum: '1260.50000000', largest: '1250.50000000' }],
        first: [{ reference: 'A', amount: '1250.50' }, { reference: 'B' }],
      },
    })
    expect(await stored()).toEqual([])
  })

  test('reads a file in a thread', async ({ operator }) => {
    const bytes = csvOf([{ reference: 'A' }])
    const preview = await importStatement(operator, { ...upload, bytes, mapping: MAPPING })
    expect(preview).toMatchObject({ kind: 'preview', preview: { lines: 1 } })
  })

  test('stores what its preview showed', async ({ give, previewOf }) => {
    const bytes = csvOf([{ reference: 'A' }])
    const { seal } = await previewOf(bytes)
    const answer = await give(bytes, { mapping: MAPPING, seal })
    expect(answer).toMatchObject({ kind: 'imported', already: false })
    expect(await stored()).toHaveLength(1)
  })

  test('stores nothing under the preview of another file or mapping', async ({ give, previewOf }) => {
    const bytes = csvOf([{ reference: 'A', amount: '1.080' }])
    const comma: ColumnMapping = { ...MAPPING, decimalMark: 'comma' }
    const { seal } = await previewOf(bytes, comma)
    const others = [
      { bytes: csvOf([{ reference: 'A', amount: '1.080' }]), mapping: comma },
      { bytes, mapping: { ...comma, decimalMark: 'point' as const } },
      { bytes, mapping: { ...comma, reference: 3, text: null } },
    ]
    for (const other of others) {
      const answer = await give(other.bytes, { mapping: other.mapping, seal })
      expect(answer).toMatchObject({ kind: 'preview', preview: { isChanged: true } })
    }
    expect(await stored()).toEqual([])
    expect(await give(bytes, { mapping: comma, seal: 'none' })).toMatchObject({ preview: { seal } })
  })

  test('stores a file with warnings only with a reason, and records it', async ({ give, previewOf }) => {
    const text = ':20:S\n:60F:C261119BZD0,\n:61:2611201120C5,00NTRFA//B-1\n:62F:C261120BZD7,00\n-'
    const bytes = new TextEncoder().encode(text)
    const { seal, summary } = await previewOf(bytes, null)
    const [{ what } = { what: '' }] = summary.warnings
    expect(what).toMatch(/closing balance is 7\.00 BZD/)
    for (const reason of ['', ' ', 'x'.repeat(501), 'a\u0000', 'Card 9084 0030 7218 3688']) {
      expect(await give(bytes, { seal, reason })).toMatchObject({
        kind: 'preview',
        preview: { isChanged: false, seal },
      })
    }
    expect(await stored()).toEqual([])
    expect(await give(bytes, { seal, reason: ' Checked with the bank ' })).toMatchObject({ kind: 'imported' })
    const { outcome } = await (await store()).selectFrom('command').select('outcome').executeTakeFirstOrThrow()
    expect(JSON.parse(outcome ?? '')).toMatchObject({
      lines: expect.arrayContaining([
        { label: 'Warning', value: what, as: 'text' },
        { label: 'Reason', value: 'Checked with the bank', as: 'text' },
      ]),
    })
  })

  test('leads the same file to the statement that it made', async ({ operator, give }) => {
    const bytes = csvOf([{ reference: 'A' }])
    const id = await importForTest(operator, bytes)
    expect(await give(bytes, { name: 'other name.csv' })).toEqual({ kind: 'imported', id, already: true })
  })

  test('makes one statement of a file confirmed twice at once', async ({ give, previewOf }) => {
    const bytes = csvOf([{ reference: 'A' }, { reference: 'B' }])
    const { seal } = await previewOf(bytes)
    const confirm = () => give(bytes, { mapping: MAPPING, seal })
    const [one, other] = await Promise.all([confirm(), confirm()])
    expect(one).toMatchObject({ kind: 'imported' })
    expect(one.kind === 'imported' && other.kind === 'imported' && one.id === other.id).toBe(true)
    expect(await stored()).toHaveLength(1)
  })

  test('counts imports at once against the rate limit', async ({ operator: { actor }, give, previewOf }) => {
    const change = { kind: 'statement.edit-line', actor, actorName: '', target: '', params: '{}', facts: '{}' }
    for (let n = 1; n < CHANGES_MAX; n += 1) await insertDraft(await store(), { id: randomUUID(), ...change })
    const files = [csvOf([{ reference: 'A' }]), csvOf([{ reference: 'B' }])]
    const seals = await Promise.all(files.map(async (bytes) => (await previewOf(bytes)).seal))
    const given = files.map((bytes, at) => give(bytes, { mapping: MAPPING, seal: seals[at] ?? null }))
    const refused = (await Promise.allSettled(given)).filter(({ status }) => status === 'rejected')
    expect(refused).toMatchObject([{ reason: expect.any(TooManyChanges) }])
    expect(await stored()).toHaveLength(1)
  })

  test('sets a line aside that an earlier statement has', async ({ operator }) => {
    const line = { reference: 'A', bank: 'ATL-SAME', text: 'rent' }
    const first = await importForTest(operator, csvOf([{ reference: 'B' }, line]))
    const second = await importForTest(operator, csvOf([line, { reference: 'C' }]))
    const { lines } = await pageOf(second)
    expect(lines.map(({ status }) => status)).toEqual(['set-aside', 'unread'])
    expect(lines[0]?.seen).toEqual({ statementId: first, number: 2, fileName: 'July.csv' })
  })

  test('keeps payments of two payers that share NONREF', async ({ operator }) => {
    const of = (reference: string) => csvOf([{ reference, bank: 'NONREF' }])
    await importForTest(operator, of(''))
    const second = await importForTest(operator, of('C'))
    expect((await pageOf(second)).lines).toMatchObject([
      { status: 'unread', sameBankReference: null, bankReference: '' },
    ])
  })

  test('imports nothing of a broken file and names its lines', async ({ give }) => {
    const bytes = csvOf([{ reference: 'A' }, { reference: 'B', amount: 'much' }])
    expect(await give(bytes, { mapping: MAPPING })).toMatchObject({ kind: 'broken', faults: [{ place: 3 }] })
    expect(await stored()).toEqual([])
  })

  test.for([
    ['empty', new Uint8Array(), /empty/],
    ['too large', new Uint8Array(5 * 1024 * 1024 + 1).fill(0x41), /5 MB/],
    ['too long', csvOf(Array.from({ length: 10_001 }, (_unused, at) => ({ reference: `R${at}` }))), /at most 10,000/],
    ['holding a NUL', Buffer.from('Ref,Amount,Bank ref,Text\nA\u0000,1,B,'), /NUL/],
  ] as const)('refuses a file that is %s', async ([_name, bytes, what], { give }) => {
    const answer = await give(bytes, { mapping: MAPPING })
    expect(answer.kind === 'broken' && answer.faults[0]?.what).toMatch(what)
  })

  describe('with columns mapped before', () => {
    const table = (...amounts: readonly string[]) =>
      Buffer.from(
        ['Tag;Summe;Kennung', ...amounts.map((amount, at) => `0${at + 1}.05.2026;${amount};R${at}`)].join('\n'),
      )

    const READ = { ...MAPPING, decimalMark: 'point' }
    test('asks about new headings, and fills in what they suggest', async ({ operator, give }) => {
      await importForTest(operator, csvOf([{ reference: 'A' }]))
      expect(await give(csvOf([{ reference: 'B' }]))).toMatchObject({ kind: 'preview', preview: { mapping: READ } })
      expect(await give(Buffer.from('Amount,Ref,X\n7.50,R,2'))).toMatchObject({
        kind: 'columns',
        why: null,
        draft: { headings: true, amount: 0, reference: 1, decimalMark: 'point' },
      })
    })

    test('asks about the same headings of another sender', async ({ give, importTable }) => {
      await importTable(table('12,50'), 'comma')
      const text = table('8,75').toString()
      const kindOf = async (file: string) => (await give(Buffer.from(file))).kind
      expect(await kindOf(`Statement of 5 May 2026\n${text}`)).toBe('preview')
      expect(await kindOf(`Second Bank Ltd\n${text}`)).toBe('columns')
      expect(await kindOf(text.replaceAll(';', '\t'))).toBe('columns')
    })

    test('uses them where the file decides the same mark', async ({ give, importTable }) => {
      await importTable(table('12,50'), 'comma')
      for (const amounts of [['8,75'], ['300'], ['1.080', '7,5']]) {
        expect(await give(table(...amounts))).toMatchObject({
          kind: 'preview',
          preview: { mapping: { amount: 1, decimalMark: 'comma' } },
        })
      }
    })

    test('asks again where the file has another mark', async ({ give, importTable }) => {
      await importTable(table('12,50'), 'comma')
      expect(await give(table('300', '12.50'))).toMatchObject({
        kind: 'columns',
        draft: { ...columns, decimalMark: 'point' },
        why: 'When you mapped these columns, amounts had a decimal comma. In this file they have a decimal point (“12.50”, line 3).',
      })
    })

    test('asks again where whole amounts were seen before', async ({ give, importTable }) => {
      await importTable(table('300', '450'), null)
      expect(await give(table('12,50', '8,75'))).toMatchObject({
        kind: 'columns',
        draft: { ...columns, decimalMark: 'comma' },
        why: expect.stringMatching(
          /all amounts were whole numbers\. In this file they have a decimal comma \(“12,50”, line 2\)/,
        ),
      })
      expect(await give(table('7', '8'))).toMatchObject({ kind: 'preview' })
    })

    test('asks again where the file decides no mark', async ({ give, importTable }) => {
      await importTable(table('1.080'), 'comma')
      expect(await give(table('2.500'))).toMatchObject({
        kind: 'columns',
        draft: { ...columns, decimalMark: null },
        why: expect.stringMatching(/they are ambiguous \(“2\.500”, line 2\)/),
      })
    })

    test('asks again where the columns do not fit the file', async ({ give, importTable }) => {
      await importTable(table('12,50'), 'comma')
      expect(
        await give(Buffer.from('Tag;Summe;Kennung\n01.05.2026;12,50;R\n02.05.2026;acht;S\n03.05.2026;9,00;T')),
      ).toMatchObject({
        kind: 'broken',
        faults: [{ place: 3 }],
        head: { columns: ['Tag', 'Summe', 'Kennung'] },
        draft: { ...columns, decimalMark: 'comma' },
      })
      expect(await give(Buffer.from('Tag;Summe;Kennung\n01.05.2026;x;R'))).toMatchObject({
        kind: 'columns',
        why: expect.stringMatching(/the column has no amounts/),
      })
    })

    test('asks again about those remembered by their headings', async ({ give, importTable }) => {
      await importTable(table('12.50'), 'point')
      const named = {
        reference: 'Kennung',
        amount: 'Summe',
        bankReference: null,
        bookedOn: 'Tag',
        currency: null,
        text: null,
      }
      const mapping = JSON.stringify({ ...named, decimalMark: 'point' })
      await (await store()).updateTable('statement_mapping').set({ mapping }).execute()
      expect(await give(table('8,75'))).toMatchObject({
        kind: 'columns',
        draft: { ...columns, decimalMark: 'comma' },
        why: expect.stringMatching(/console was updated since/),
      })
    })

    test('asks every time about a table without headings', async ({ give, previewOf }) => {
      const rows = (amount: string) => Buffer.from(`01.05.2026;${amount};R\n02.05.2026;9,00;S`)
      const mapping = { ...columns, headings: false, decimalMark: 'comma' as const }
      const { seal } = await previewOf(rows('12,50'), mapping)
      await give(rows('12,50'), { mapping, seal })
      expect(await give(rows('7,50'))).toMatchObject({ kind: 'columns', draft: { headings: false, amount: null } })
    })

    test('remembers nothing of a preview that nobody confirmed', async ({ give, previewOf }) => {
      await previewOf(table('12,50'), { ...columns, decimalMark: 'comma' })
      expect(await give(table('8,75'))).toMatchObject({ kind: 'columns', why: null })
    })
  })
})

describe('looking lines up', () => {
  test('each reference once, and every line says for itself what agrees', async ({ service, operator }) => {
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

  test('one line by itself stands where it stands among all', async ({ service, operator }) => {
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

  test('a reference and a bank reference that are missing are entered by hand', async ({ service, operator }) => {
    const reference = await service.announceDeposit('10')
    const id = await importedAndRead(operator, csvOf([{ bank: '' }]))
    expect(await editLine(operator, id, 1, { act: 'reference', reference })).toBeNull()
    expect((await pageOf(id)).lines[0]).toMatchObject({ status: 'mismatched', hold: 'no-bank-reference' })
    expect(await editLine(operator, id, 1, { act: 'bank-reference', bankReference: ' B-1 ' })).toBeNull()
    expect(await statusesOf(id)).toEqual(['by-hand'])
  })

  test('a look that comes late says nothing of a line that names another reference by now', async ({
    service,
    operator,
  }) => {
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

  test('a line is set aside with a reason, and taken up again', async ({ service, operator }) => {
    const id = await importedAndRead(operator, csvOf([{ reference: await service.announceDeposit('10') }]))
    expect(await editLine(operator, id, 1, { act: 'set-aside', reason: ' ' })).toMatch(/why/)
    const card = { act: 'set-aside', reason: 'Paid by 9084003072183688' } as const
    expect(await editLine(operator, id, 1, card)).toMatch(/^Remove the card number/)
    expect(await editLine(operator, id, 1, { act: 'set-aside', reason: 'asked the bank' })).toBeNull()
    expect((await pageOf(id)).lines[0]).toMatchObject({
      status: 'set-aside',
      setAside: { reason: 'asked the bank', by: 'operator@example.com' },
    })
    await editLine(operator, id, 1, { act: 'put-back', reason: '' })
    expect(await statusesOf(id)).toEqual(['ready'])
  })

  test('while the service is down a line says so, and can be looked up again', async ({ service, operator }) => {
    const reference = await service.announceDeposit('10')
    await service.fault('GET', pathOf(reference), { status: 500, code: 'core::server::fail', title: 'Broken' }, 10)
    const id = await importedAndRead(operator, csvOf([{ reference }]))
    expect((await pageOf(id)).lines[0]).toMatchObject({ status: 'unread', problem: 'The service could not answer' })
    await service.call('DELETE', '/sandbox/faults')
    await toItsEnd((detach) => startMatching(operator, id, detach))
    expect(await statusesOf(id)).toEqual(['ready'])
  })
})
