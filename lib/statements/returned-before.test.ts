import { expect, vi } from 'vitest'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { runCommand } from '#lib/testing/command-run.ts'
import { confirmForTest, csvOf, importedAndRead, MAPPING, pageOf, statusesOf } from '#lib/testing/test-statement.ts'
import { serviceTest } from '#lib/testing/test-worlds.ts'
import { editLine } from './edit-line.ts'
import { readPackedFile } from './file/read-file.ts'
import { importStatement } from './import.ts'
import { discardStatement, restoreStatement } from './statement-list.ts'

const hook = vi.hoisted(() => ({ meanwhile: async () => {}, beforeStoring: async () => {} }))
vi.mock('./remembered-mapping.ts', async (importOriginal) => ({
  ...(await importOriginal<typeof import('./remembered-mapping.ts')>()),
  rememberMapping: () => hook.beforeStoring(),
}))
vi.mock('./chain-warnings.ts', async (importOriginal) => {
  const actual = await importOriginal<typeof import('./chain-warnings.ts')>()
  return {
    async chainWarnings(...args: Parameters<typeof actual.chainWarnings>) {
      await hook.meanwhile()
      return await actual.chainWarnings(...args)
    },
  }
})

const test = serviceTest.extend('previewOf', ({ operator }) => async (bytes: Uint8Array) => {
  const file = { name: 'Later.csv', bytes, mapping: MAPPING, seal: null, reason: '', replaces: null }
  const read = await importStatement(operator, file, readPackedFile)
  if (read.kind !== 'preview') throw new Error(read.kind)
  return read.preview.summary
})

test('a payment that went back in its file needs a reason', async ({ service, operator }) => {
  const reference = await service.announceDeposit('10')
  const id = await importedAndRead(operator, csvOf([{ reference }, { reference, amount: '-10.00' }]))
  const [line] = (await pageOf(id)).lines
  expect(line).toMatchObject({
    status: 'set-aside',
    setAside: { by: null, reason: 'The money went back: paid out again at line 3 of this file.' },
  })
  expect(await editLine(operator, id, 1, { act: 'put-back', reason: ' ' })).toBe('Enter why it is put back.')
  expect(await editLine(operator, id, 1, { act: 'put-back', reason: 'another payment' })).toBeNull()
  expect(await statusesOf(id)).toEqual(['ready'])
})

test('a later file sets aside a payment that went back', async ({ service, operator, previewOf }) => {
  const reference = await service.announceDeposit('10')
  const first = await importedAndRead(operator, csvOf([{ reference }]))
  const later = csvOf([{ reference: 'other' }, { reference, amount: '-10.00' }])
  expect((await previewOf(later)).remarks).toEqual([
    { place: null, what: 'The payment on line 1 of July.csv went back (line 3). The line will be set aside.' },
  ])
  expect(await statusesOf(first)).toEqual(['ready'])
  await importedAndRead(operator, later)
  expect((await pageOf(first)).lines[0]).toMatchObject({
    status: 'set-aside',
    setAside: { by: null, reason: 'The money went back: paid out again in a later statement.' },
    edited: { by: 'operator@example.com' },
  })
})

test('each of two debits takes back another payment', async ({ service, operator }) => {
  const reference = await service.announceDeposit('10')
  const bank = 'B-77001'
  const first = await importedAndRead(
    operator,
    csvOf([
      { reference, bank },
      { reference: 'RENT-2', bank },
    ]),
  )
  const debits = [bank, bank].map((text) => ({ reference: '', amount: '-10.00', bank: '', text }))
  await importedAndRead(operator, csvOf([{ reference: 'other' }, ...debits]))
  expect(await statusesOf(first)).toEqual(['set-aside', 'set-aside'])
})

test('a return takes back the payment its text names whole', async ({ operator, previewOf }) => {
  const lines = ['ISL-100', 'ISL-1004'].map((reference) => ({ reference, text: reference }))
  await importedAndRead(operator, csvOf(lines))
  const later = csvOf([{ reference: 'other' }, { amount: '-10.00', bank: '', text: 'Return ISL-1004' }])
  expect((await previewOf(later)).remarks).toMatchObject([
    { what: 'The payment on line 2 of July.csv went back (line 3). The line will be set aside.' },
  ])
})

test('a payment of 14 months ago is no longer compared', async ({ operator, previewOf }) => {
  const first = await importedAndRead(operator, csvOf([{ reference: 'RENT-1' }]))
  const taken_at = new Date(Date.now() - 420 * 24 * 60 * 60_000).toISOString()
  await (await store()).updateTable('statement').set({ taken_at }).where('id', '=', first).execute()
  expect((await previewOf(csvOf([{ reference: 'other' }, { reference: 'RENT-1', amount: '-10.00' }]))).remarks).toEqual(
    [],
  )
})

test('a confirmed payment that went back is a warning', async ({ service, operator, previewOf }) => {
  const reference = await service.announceDeposit('10')
  const first = await importedAndRead(operator, csvOf([{ reference }]))
  await confirmForTest(operator, first)
  const later = csvOf([{ reference: 'other' }, { reference, amount: '-10.00' }])
  expect((await previewOf(later)).warnings).toEqual([
    {
      place: null,
      what: 'The payment on line 1 of July.csv went back (line 3), but its deposit was confirmed or may have been. Check the deposit.',
    },
  ])
})

const WENT_BACK =
  'The payment on line 1 of July.csv went back (line 3), but its deposit was confirmed or may have been. Check the deposit.'
const CONFIRM = '/api/v1/Transaction/deposit/confirm'

test.for(['confirmed', 'perhaps confirmed', 'confirmed without its bank reference'] as const)(
  'a payment %s on its page that went back is a warning',
  async (how, { service, operator, admin, previewOf }) => {
    const reference = await service.announceDeposit('10')
    const first = await importedAndRead(operator, csvOf([{ reference, bank: 'B-10' }]))
    if (how === 'perhaps confirmed') await service.fault('POST', CONFIRM, 'drop-before')
    const bankReference = how === 'confirmed without its bank reference' ? 'another' : 'B-10'
    await runCommand(admin, 'deposit.confirm', { referenceId: reference, bankReference, statementAmount: '10.00' })
    const before = await statusesOf(first)
    const later = csvOf([{ reference: 'other' }, { reference, bank: 'B-10', amount: '-10.00' }])
    const { warnings, remarks } = await previewOf(later)
    expect([warnings.map(({ what }) => what), remarks]).toEqual([[WENT_BACK], []])
    const file = { name: 'Later.csv', bytes: later, mapping: MAPPING, reason: 'Asked the bank.', replaces: null }
    const read = await importStatement(operator, { ...file, seal: null }, readPackedFile)
    const seal = read.kind === 'preview' ? read.preview.seal : null
    expect(await importStatement(operator, { ...file, seal }, readPackedFile)).toMatchObject({ kind: 'imported' })
    expect(await statusesOf(first)).toEqual(before)
  },
)

test('a warning that came after the preview is previewed again', async ({ service, operator, admin }) => {
  const references = [await service.announceDeposit('10'), await service.announceDeposit('10')]
  await importedAndRead(operator, csvOf(references.map((reference) => ({ reference, bank: reference }))))
  const confirm = (reference: string | undefined) =>
    runCommand(admin, 'deposit.confirm', { referenceId: reference, bankReference: reference, statementAmount: '10.00' })
  const bytes = csvOf([{ reference: 'other' }, ...references.map((reference) => ({ reference, amount: '-10.00' }))])
  const file = { name: 'Later.csv', bytes, mapping: MAPPING, reason: 'Asked the bank.', replaces: null }
  const read = async (seal: string | null) => {
    const answer = await importStatement(operator, { ...file, seal }, readPackedFile)
    if (answer.kind !== 'preview') throw new Error(answer.kind)
    return answer.preview
  }
  await confirm(references[0])
  const first = await read(null)
  await confirm(references[1])
  const second = await read(first.seal)
  expect([first, second].map(({ summary }) => summary.warnings.length)).toEqual([1, 2])
  expect(second.isChanged).toBe(true)
})

test.for(['import', 'mapping'] as const)(
  'a payment confirmed during the %s is previewed again',
  async (during, { service, operator, admin }) => {
    const reference = await service.announceDeposit('10')
    const bytes = csvOf([{ reference: 'other' }, { reference, bank: 'B-1', amount: '-10.00' }])
    const replaces = during === 'mapping' ? await importedAndRead(operator, bytes) : null
    const first = await importedAndRead(operator, csvOf([{ reference, bank: 'B-1' }]))
    const file = { name: 'Later.csv', bytes, mapping: MAPPING, reason: '', replaces }
    const give = (seal: string | null) => importStatement(operator, { ...file, seal }, readPackedFile)
    const statements = async () =>
      (await store()).selectFrom('statement').select(['id', 'discarded_at']).orderBy('taken_at').execute()
    const before = await statements()
    const read = await give(null)
    const seal = read.kind === 'preview' ? read.preview.seal : null
    hook.meanwhile = async () => {
      hook.meanwhile = async () => {}
      await confirmForTest(admin, first)
    }
    const remarks = replaces === null ? [] : [{ what: expect.stringContaining('This replaces the statement') }]
    expect(await give(seal)).toMatchObject({
      kind: 'preview',
      preview: { isChanged: true, summary: { warnings: [{ what: WENT_BACK }], remarks } },
    })
    expect(await statusesOf(first)).toEqual(['done'])
    expect(await statements()).toEqual(before)
    expect(before).toHaveLength(replaces === null ? 1 : 2)
  },
)

test('a payment imported at the same moment is set aside', async ({ service, operator }) => {
  const reference = await service.announceDeposit('10')
  let first = ''
  hook.beforeStoring = async () => {
    hook.beforeStoring = async () => {}
    first = await importedAndRead(operator, csvOf([{ reference }]))
  }
  await importedAndRead(operator, csvOf([{ reference: 'other' }, { reference, amount: '-10.00' }]))
  expect(await statusesOf(first)).toEqual(['set-aside'])
})

test('a payment restored at the same moment is set aside', async ({ operator }) => {
  const first = await importedAndRead(operator, csvOf([RENT]))
  const other = await importedAndRead(operator, csvOf([{ reference: 'third' }]))
  await discardStatement(operator, first)
  hook.beforeStoring = async () => {
    hook.beforeStoring = async () => {}
    await discardStatement(operator, other)
    await restoreStatement(operator, first)
  }
  await importedAndRead(operator, debited('RENT-1'))
  expect(await statusesOf(first)).toEqual(['set-aside'])
})

test('a payment whose confirmation was refused is set aside', async ({ service, operator, previewOf }) => {
  const reference = await service.announceDeposit('10')
  const first = await importedAndRead(operator, csvOf([{ reference }]))
  await service.fault('POST', CONFIRM, { status: 400 })
  await confirmForTest(operator, first)
  expect(await statusesOf(first)).toEqual(['refused'])
  const later = csvOf([{ reference: 'other' }, { reference, amount: '-10.00' }])
  expect((await previewOf(later)).warnings).toEqual([])
  await importedAndRead(operator, later)
  expect(await statusesOf(first)).toEqual(['set-aside'])
})

test('a repeated payment that goes back is set aside in the earlier file', async ({ service, operator, previewOf }) => {
  const reference = await service.announceDeposit('10')
  const payment = { reference, bank: 'B-5' }
  const first = await importedAndRead(operator, csvOf([payment]))
  const later = csvOf([payment, { reference, bank: 'B-6', amount: '-10.00' }])
  expect((await previewOf(later)).remarks).toContainEqual({
    ...{ place: null, what: 'The payment on line 1 of July.csv went back (line 3). The line will be set aside.' },
  })
  await importedAndRead(operator, later)
  expect(await statusesOf(first)).toEqual(['set-aside'])
})

test.for(['PENDING', 'BLOCKED', 'DISPUTED'])(
  'a payment whose deposit is %s may have been confirmed',
  async (found_state, { operator, previewOf }) => {
    const first = await importedAndRead(operator, csvOf([{ reference: 'DEP-77' }]))
    const line = (await store()).updateTable('statement_line').where('statement_id', '=', first)
    await line.set({ found_state, verdict: 'ready' }).execute()
    const { warnings } = await previewOf(csvOf([{ reference: 'other' }, { reference: 'DEP-77', amount: '-10.00' }]))
    expect(warnings.map(({ what }) => what)).toEqual([WENT_BACK])
  },
)

const debited = (...lines: readonly string[]) => csvOf([{ reference: 'other' }, ...lines.map(back)])
const back = (reference: string) => ({ reference, bank: 'B-RENT', amount: '-10.00' })
const RENT = { reference: 'RENT-1', bank: 'B-RENT' }

test('one return listed in two files takes back one payment', async ({ operator }) => {
  const first = await importedAndRead(operator, csvOf([RENT, { ...RENT, text: 'another' }]))
  await importedAndRead(operator, debited('RENT-1'))
  expect(await statusesOf(first)).toEqual(['set-aside', 'unknown'])
  await importedAndRead(operator, csvOf([{ reference: 'final' }, back('RENT-1')]))
  expect(await statusesOf(first)).toEqual(['set-aside', 'unknown'])
  await importedAndRead(operator, csvOf([{ reference: 'both' }, back('RENT-1'), back('RENT-1')]))
  expect(await statusesOf(first)).toEqual(['set-aside', 'set-aside'])
})

test('a discarded return puts its payment back, a restored one not', async ({ operator }) => {
  const first = await importedAndRead(operator, csvOf([RENT]))
  const later = await importedAndRead(operator, debited('RENT-1'))
  await discardStatement(operator, later)
  expect((await pageOf(first)).lines[0]).toMatchObject({ status: 'unknown', edited: { by: 'operator@example.com' } })
  await restoreStatement(operator, later)
  expect(await statusesOf(first)).toEqual(['set-aside'])
  await discardStatement(operator, later)
  expect(await statusesOf(first)).toEqual(['unknown'])
})

test('a payment that a person put back stays when the return is restored', async ({ operator }) => {
  const first = await importedAndRead(operator, csvOf([RENT]))
  const later = await importedAndRead(operator, debited('RENT-1'))
  await editLine(operator, first, 1, { act: 'put-back', reason: 'another payment' })
  await discardStatement(operator, later)
  await restoreStatement(operator, later)
  expect(await statusesOf(first)).toEqual(['unknown'])
})

test('a payment that a person set aside stays when the return is discarded', async ({ operator }) => {
  const first = await importedAndRead(operator, csvOf([RENT]))
  const later = await importedAndRead(operator, debited('RENT-1'))
  await editLine(operator, first, 1, { act: 'put-back', reason: 'paid again' })
  await editLine(operator, first, 1, { act: 'set-aside', reason: 'asked the bank' })
  await discardStatement(operator, later)
  expect((await pageOf(first)).lines[0]?.setAside?.reason).toBe('asked the bank')
})

const repeatedReturn = async (operator: Session) => {
  const first = await importedAndRead(operator, csvOf([RENT]))
  const second = await importedAndRead(operator, csvOf([RENT, { ...RENT, text: 'another' }]))
  const later = await importedAndRead(operator, debited('RENT-1'))
  return { first, second, later }
}

test('a repeated payment that went back stays set aside', async ({ operator }) => {
  const { first, second, later } = await repeatedReturn(operator)
  await discardStatement(operator, first)
  expect((await pageOf(second)).lines[0]?.setAside?.reason).toBe('The money went back in a later statement.')
  await discardStatement(operator, later)
  expect(await statusesOf(second)).toEqual(['unknown', 'unknown'])
  await restoreStatement(operator, later)
  expect(await statusesOf(second)).toEqual(['set-aside', 'unknown'])
})

test('a return discarded and restored sets the repeat aside', async ({ operator }) => {
  const { first, second, later } = await repeatedReturn(operator)
  await discardStatement(operator, later)
  await discardStatement(operator, first)
  expect(await statusesOf(second)).toEqual(['unknown', 'unknown'])
  await restoreStatement(operator, later)
  expect(await statusesOf(second)).toEqual(['set-aside', 'unknown'])
})

test('a restored repeat of a payment that went back stays set aside', async ({ operator }) => {
  const { first, second, later } = await repeatedReturn(operator)
  await discardStatement(operator, second)
  await discardStatement(operator, first)
  await restoreStatement(operator, second)
  expect(await statusesOf(second)).toEqual(['set-aside', 'unknown'])
  await discardStatement(operator, later)
  expect(await statusesOf(second)).toEqual(['unknown', 'unknown'])
})

test('a payment that went back stays set aside in a new import', async ({ operator }) => {
  const bytes = csvOf([{ reference: 'other' }, RENT])
  const first = await importedAndRead(operator, bytes)
  const later = await importedAndRead(operator, debited('RENT-1'))
  await discardStatement(operator, first)
  const second = await importedAndRead(operator, bytes)
  expect(await statusesOf(second)).toEqual(['unknown', 'set-aside'])
  await discardStatement(operator, later)
  expect(await statusesOf(second)).toEqual(['unknown', 'unknown'])
  await discardStatement(operator, second)
  const third = await importedAndRead(operator, bytes)
  await restoreStatement(operator, later)
  expect(await statusesOf(third)).toEqual(['unknown', 'set-aside'])
})

test('a return is known once, on the payment or its repeat', async ({ operator }) => {
  const { first, second, later } = await repeatedReturn(operator)
  const statuses = async () => [await statusesOf(first), await statusesOf(second)]
  await discardStatement(operator, first)
  const final = await importedAndRead(operator, csvOf([{ reference: 'final' }, back('RENT-1')]))
  expect(await statusesOf(second)).toEqual(['set-aside', 'unknown'])
  await discardStatement(operator, final)
  await restoreStatement(operator, first)
  expect(await statuses()).toEqual([['set-aside'], ['set-aside', 'unknown']])
  const both = await importedAndRead(operator, csvOf([{ reference: 'both' }, back('RENT-1'), back('RENT-1')]))
  expect(await statuses()).toEqual([['set-aside'], ['set-aside', 'set-aside']])
  await discardStatement(operator, both)
  await discardStatement(operator, later)
  expect(await statuses()).toEqual([['unknown'], ['set-aside', 'unknown']])
})

const dayOf = (day: number, opening: string, closing: string, entry: string) =>
  Buffer.from(
    `:20:S${day}\n:25:100200\n:28C:${day}/1\n:60F:C261119BZD${opening}\n:61:26112${day}112${day}${entry}\n:62F:C261120BZD${closing}\n-`,
  )

test('a day of debits alone is imported, and continues the chain', async ({ operator }) => {
  const previewOfDay = async (bytes: Uint8Array) => {
    const file = { name: 'Day.sta', bytes, mapping: null, seal: null, reason: '', replaces: null }
    const read = await importStatement(operator, file, readPackedFile)
    if (read.kind !== 'preview') throw new Error(JSON.stringify(read))
    return read.preview
  }
  const first = await importedAndRead(operator, dayOf(1, '0,00', '10,00', 'C10,00NTRFRENT-77//ATL-77001'))
  const debits = dayOf(2, '10,00', '0,00', 'RC10,00NTRFRENT-77//ATL-77001')
  expect(await previewOfDay(debits)).toMatchObject({
    ...{ lines: 0, leftOut: 1 },
    summary: { warnings: [], remarks: [{ what: expect.stringContaining('The line will be set aside.') }] },
  })
  const second = await importedAndRead(operator, debits)
  expect(await statusesOf(first)).toEqual(['set-aside'])
  expect(await pageOf(second)).toMatchObject({ lines: [], total: 0, closing: [], work: { run: 0 } })
  expect((await previewOfDay(dayOf(3, '0,00', '5,00', 'C5,00NTRFRENT-78//ATL-77009'))).summary.warnings).toEqual([])
})

test('an earlier return leaves a payment imported before it', async ({ operator }) => {
  const paid = await importedAndRead(operator, dayOf(3, '0,00', '10,00', 'C10,00NTRFRENT-77//ATL-77001'))
  await importedAndRead(operator, dayOf(2, '10,00', '0,00', 'RC10,00NTRFRENT-77//ATL-77001'))
  expect(await statusesOf(paid)).toEqual(['unknown'])
  await importedAndRead(operator, dayOf(4, '10,00', '0,00', 'RC10,00NTRFRENT-77//ATL-77001'))
  expect(await statusesOf(paid)).toEqual(['set-aside'])
})
