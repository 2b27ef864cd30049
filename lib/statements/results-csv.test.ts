import { parse } from 'csv-parse/sync'
import { describe, expect, onTestFinished, vi } from 'vitest'
import { config } from '#lib/config/config.ts'
import { putPerProcess } from '#lib/config/per-process.ts'
import { store } from '#lib/store/store.ts'
import { awaiting } from '#lib/testing/approval-world.ts'
import { executeForTest } from '#lib/testing/gated-deposit.ts'
import { underPolicy } from '#lib/testing/test-policy.ts'
import { confirmForTest, csvOf, importedAndRead, pageOf } from '#lib/testing/test-statement.ts'
import { serviceTest as test } from '#lib/testing/test-worlds.ts'
import { draftByHand } from './confirm-lines.ts'
import { editLine } from './edit-line.ts'
import { resultsFile } from './results-csv.ts'
import { discardStatement } from './statement-list.ts'

test('lists every line with its result, confirmer, time and reason', async ({ service, operator }) => {
  const reference = await service.announceDeposit('250.5')
  const id = await importedAndRead(
    operator,
    csvOf([
      { reference, amount: '250.50', bank: 'B-1' },
      { text: '=HYPERLINK(1)', bank: 'B-2' },
    ]),
  )
  await confirmForTest(operator, id)
  await editLine(operator, id, 2, { act: 'set-aside', reason: '+asked the bank' })
  const file = await resultsFile(id)
  expect(file?.name).toMatch(/^results-July-\d{4}-\d\d-\d\d\.csv$/)
  expect(file?.text.startsWith('\uFEFF')).toBe(true)
  const rows = parse(file?.text ?? '', { columns: true, bom: true }) as Record<string, string>[]
  expect(rows).toHaveLength(2)
  expect(rows[0]).toMatchObject({
    Line: '1',
    State: 'Done',
    'The bank received': '250.50000000',
    Reference: reference,
    'Source of the reference': 'the file',
    'Bank’s reference': 'B-1',
    'Transaction state': 'PROCESSING',
    'Sender pays (BZD)': '250.50000000',
    'Confirmed by': 'operator@example.com',
    'Confirmed (UTC)': expect.stringMatching(/^\d{4}-.*Z$/),
  })
  expect(rows[1]).toMatchObject({
    State: 'Set aside',
    // A spreadsheet runs neither.
    'Free text': "'=HYPERLINK(1)",
    'Set aside because': "'+asked the bank",
    'Set aside by': 'operator@example.com',
    'Confirmed by': '',
  })
})

test('names the origin of accepted references', async ({ service, operator }) => {
  const [one, two] = [await service.announceDeposit('10'), await service.announceDeposit('20')]
  const id = await importedAndRead(
    operator,
    csvOf([
      { reference: `Top-up ${one}`, amount: '10', bank: 'B-1' },
      { text: `Top-up ${two}`, amount: '20', bank: 'B-2' },
    ]),
  )
  await editLine(operator, id, 1, { act: 'accept', reference: one })
  await editLine(operator, id, 2, { act: 'accept', reference: two })
  const rows = parse((await resultsFile(id))?.text ?? '', { columns: true, bom: true }) as Record<string, string>[]
  const origins = ['accepted from the reference field', 'accepted from the text']
  expect(rows.map((row) => row['Source of the reference'])).toEqual(origins)
})

test.for([';', '\t'])('starts no formula where a spreadsheet splits at %j', async (delimiter, { operator }) => {
  const id = await importedAndRead(operator, csvOf([{}]))
  await editLine(operator, id, 1, { act: 'set-aside', reason: `asked${delimiter}=1+1${delimiter}"@SUM(A1)` })
  const options = { delimiter, bom: true, relax_quotes: true, relax_column_count: true }
  const rows = parse((await resultsFile(id))?.text ?? '', options) as string[][]
  const cells = rows.flat()
  expect(cells.some((cell) => cell.startsWith("'=1+1"))).toBe(true)
  expect(cells.filter((cell) => /^["\s]*[=+@-]/.test(cell))).toEqual([])
})

test('lists only the lines with a status', async ({ operator }) => {
  const id = await importedAndRead(operator, csvOf([{}, { bank: 'B-2' }, {}]))
  await editLine(operator, id, 2, { act: 'set-aside', reason: 'asked the bank' })
  const file = await resultsFile(id, 'set-aside')
  expect(file?.name).toMatch(/^results-July-set-aside-\d{4}-\d\d-\d\d\.csv$/)
  const rows = parse(file?.text ?? '', { columns: true, bom: true }) as Record<string, string>[]
  expect([rows.map(({ Line }) => Line), file?.rows]).toEqual([['2'], 1])
  expect((await resultsFile(id, 'done'))?.rows).toBe(0)
})

test('is named by the day of the business time zone', async ({ operator }) => {
  const id = await importedAndRead(operator, csvOf([{}]))
  putPerProcess('config', { ...config(), businessZone: 'America/Belize' })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-21T05:59:59Z') })
  onTestFinished(() => void vi.useRealTimers())
  expect((await resultsFile(id))?.name).toBe('results-July-2026-11-20.csv')
})

test('there is none of a statement that is not here', async ({ operator }) => {
  const id = await importedAndRead(operator, csvOf([{}]))
  await discardStatement(operator, id)
  expect([await resultsFile(id), await resultsFile('nowhere')]).toEqual([null, null])
})

describe('to every reader', () => {
  const shown = async (id: string) => {
    const [line] = (await pageOf(id)).lines
    const outcome = line?.outcome?.class === 'refused' ? line.outcome.title : ''
    const words = [line?.note ?? '', line?.problem ?? '', outcome].join('')
    expect(`${words}${(await resultsFile(id))?.text}`).not.toMatch(/\byou(r)?\b/i)
    return words
  }

  test('names who requested a confirmation', async ({ service, operator }) => {
    underPolicy({ kind: 'deposit.confirm', when: { amountAtLeast: '500.00' }, approval: { by: 1 } })
    const { referenceId } = await awaiting(service, operator, '600')
    const id = await importedAndRead(operator, csvOf([{ reference: referenceId, amount: '600.00' }]))
    await confirmForTest(operator, id)
    expect(await shown(id)).toContain('operator@example.com requested it')
  })

  test('names who is not permitted to look up', async ({ service, operator }) => {
    const reference = await service.announceDeposit('10')
    const path = `/api/v1/Transaction/${encodeURIComponent(reference)}`
    await service.fault('GET', path, { status: 403, code: 'core::forbidden', title: 'No' }, 10)
    const id = await importedAndRead(operator, csvOf([{ reference }]))
    expect(await shown(id)).toBe('operator@example.com is not permitted to do this')
    await (await store())
      .updateTable('statement_line')
      .set({ problem: JSON.stringify({ kind: 'session-over' }) })
      .execute()
    expect(await shown(id)).toBe('The session of a colleague has ended')
  })

  test('names whose limit a line is over', async ({ service, operator }) => {
    underPolicy({ kind: 'deposit.confirm', limit: { sum: '5.00' } })
    const id = await importedAndRead(operator, csvOf([{ reference: await service.announceDeposit('10') }]))
    const reply = await draftByHand(operator, id, 1)
    if (!reply.ok) throw new Error(reply.why)
    await executeForTest(operator, reply.draft.id)
    expect(await shown(id)).toBe('Over the limit of operator@example.com')
    expect((await resultsFile(id))?.text).toContain('Over the limit of operator@example.com')
  })
})
