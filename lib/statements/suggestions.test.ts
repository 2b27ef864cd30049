import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { config } from '#lib/config/config.ts'
import { verifyJournal } from '#lib/journal/verify.ts'
import { store } from '#lib/store/store.ts'
import { confirmForTest, csvOf, importedAndRead, pageOf, statusesOf, toItsEnd } from '#lib/testing/test-statement.ts'
import { serviceTest as test } from '#lib/testing/test-worlds.ts'
import { readTransaction, statesSeen } from '#lib/transactions/transaction-service.ts'
import { editLine } from './edit-line.ts'
import { startMatching } from './match-lines.ts'
import { LOOK_UPS_PER_LINE, searchText } from './suggestions.ts'

const CONFIRM = '/api/v1/Transaction/deposit/confirm'
const pathOf = (reference: string): string => `/api/v1/Transaction/${encodeURIComponent(reference)}`

const suggestedOf = async (id: string) =>
  (await pageOf(id)).lines.map(({ suggestions }) => suggestions.map(({ reference }) => reference))

test('a reference in a text is a suggestion: no match, not ready, in no run', async ({ service, operator }) => {
  const reference = await service.announceDeposit('10')
  const before = await service.arrived('POST', CONFIRM)
  const id = await importedAndRead(
    operator,
    csvOf([{ text: `deposit (${reference}) thanks` }, { text: `deposit ${reference}x` }, { text: 'nothing 1234' }]),
  )
  expect(await statusesOf(id)).toEqual(['unknown', 'unknown', 'unknown'])
  const { lines, ready } = await pageOf(id)
  expect(lines.map(({ suggestions }) => suggestions)).toEqual([
    [{ reference, foundIn: 'text', state: 'QUEUED', debit: '10.00000000', paidBefore: null }],
    [],
    [],
  ])
  expect(lines.map(({ sought }) => sought)).toEqual(['', '', ''])
  expect(ready.count).toBe(0)
  expect(await confirmForTest(operator, id)).toBe('changed')
  expect(await service.arrived('POST', CONFIRM)).toBe(before)
})

test('accepted by a person it is an edit on record, and the line is confirmed by itself', async ({
  service,
  operator,
}) => {
  const reference = await service.announceDeposit('10')
  const id = await importedAndRead(operator, csvOf([{ text: `deposit ${reference}` }]))
  expect(await editLine(operator, id, 1, { act: 'accept', reference })).toBeNull()
  const [line] = (await pageOf(id)).lines
  expect(line).toMatchObject({
    status: 'by-hand',
    sought: reference,
    soughtFrom: 'text',
    suggestions: [],
    soughtEntered: { by: 'operator@example.com' },
  })
  const db = await store()
  const entry = await db
    .selectFrom('command')
    .select(['kind', 'params'])
    .where('id', '=', line?.editId ?? '')
    .executeTakeFirst()
  expect(entry).toEqual({ kind: 'statement.edit-line', params: JSON.stringify({ line: 1, what: 'accept' }) })
  expect((await verifyJournal(db, config())).faults).toEqual([])
  expect(await confirmForTest(operator, id)).toBe('changed')
})

test('accepted with another amount the line is mismatched, accepted on two lines the second one waits', async ({
  service,
  operator,
}) => {
  const [short, twice] = [await service.announceDeposit('12'), await service.announceDeposit('10')]
  const id = await importedAndRead(
    operator,
    csvOf([{ text: `a ${short}` }, { text: `b ${twice}` }, { text: `c ${twice}` }]),
  )
  await editLine(operator, id, 1, { act: 'accept', reference: short })
  for (const number of [2, 3]) await editLine(operator, id, number, { act: 'accept', reference: twice })
  expect(await statusesOf(id)).toEqual(['mismatched', 'by-hand', 'mismatched'])
  expect((await pageOf(id)).lines[2]?.hold).toBe('other-line')
})

test('only what is suggested for the line can be accepted', async ({ service, operator }) => {
  const [reference, other] = [await service.announceDeposit('10'), await service.announceDeposit('10')]
  const id = await importedAndRead(operator, csvOf([{ text: `deposit ${reference}` }, {}]))
  expect(await editLine(operator, id, 1, { act: 'accept', reference: other })).toMatch(/no longer suggested/)
  expect(await editLine(operator, id, 2, { act: 'accept', reference })).toMatch(/no longer suggested/)
  expect(await statusesOf(id)).toEqual(['unknown', 'unknown'])
})

test('written with spaces it is a suggestion; in another case too, once this console has read the reference', async ({
  service,
  operator,
}) => {
  const reference = await service.announceDeposit('10')
  const spaced = `${reference.slice(0, 8)} ${reference.slice(8)}`
  const id = await importedAndRead(operator, csvOf([{ reference: spaced }, { text: `x ${spaced} y` }]))
  expect(await suggestedOf(id)).toEqual([[reference], [reference]])
  expect((await pageOf(id)).lines[0]?.suggestions[0]?.foundIn).toBe('field')
  await readTransaction(operator, reference)
  const swapped = [...reference].map((at) => (at === at.toUpperCase() ? at.toLowerCase() : at.toUpperCase())).join('')
  await expect.poll(() => statesSeen(reference)).toHaveLength(1)
  const other = await importedAndRead(operator, csvOf([{ reference: swapped }, { text: `for ${swapped}` }]))
  expect(await statusesOf(other)).toEqual(['unknown', 'unknown'])
  expect(await suggestedOf(other)).toEqual([[reference], [reference]])
})

test('a long text takes few look-ups, and the same words in many lines take them once', async ({
  service,
  operator,
}) => {
  const words = Array.from({ length: 60 }, (_unused, at) => `word${at}`).join(' ')
  const before = await service.arrived('GET', pathOf('word0'))
  const id = await importedAndRead(operator, csvOf(Array.from({ length: 5 }, () => ({ text: words }))))
  expect(await service.arrived('GET', pathOf('word0'))).toBe(before + 1)
  expect(await service.arrived('GET', pathOf(`word${LOOK_UPS_PER_LINE}`))).toBe(0)
  expect(await statusesOf(id)).toEqual(Array.from({ length: 5 }, () => 'unknown'))
})

test('searches the texts of all lines', async ({ service, operator }) => {
  const reference = await service.announceDeposit('10')
  const others = Array.from({ length: 51 }, (_unused, line) => ({
    text: Array.from({ length: LOOK_UPS_PER_LINE }, (_word, at) => `w${line}x${at}y`).join(' '),
  }))
  const id = await importedAndRead(operator, csvOf([...others, { text: reference }]))
  expect((await suggestedOf(id)).at(-1)).toEqual([reference])
  expect((await pageOf(id)).work.ended).toBe('')
})

test('a word that is another path is an unknown reference', async ({ service, operator }) => {
  const reference = await service.announceDeposit('10')
  const id = await importedAndRead(operator, csvOf([{ reference: 'deposit', text: `for ${reference}` }]))
  expect((await pageOf(id)).lines[0]).toMatchObject({ status: 'unknown', problem: null, sought: 'deposit' })
  expect(await suggestedOf(id)).toEqual([[reference]])
})

test('looks up no card number from a text or field', async ({ service, operator }) => {
  const [reference, card] = [await service.announceDeposit('10'), '9084003072183688']
  const text = `card ${card} for ${reference}`
  const grouped = `card 9084 0030 7218 3688 for ${reference}`
  const id = await importedAndRead(operator, csvOf([{ text }, { reference: `${text} 2` }, { text: grouped }]))
  expect(await suggestedOf(id)).toEqual([[reference], [reference], [reference]])
  for (const path of [card, text, '9084', '7218 3688', '908400307218']) {
    expect(await service.arrived('GET', pathOf(path))).toBe(0)
  }
})

test('repeats a failed text lookup of a line', async ({ service, operator }) => {
  const reference = await service.announceDeposit('10')
  await service.fault('GET', pathOf(reference), { status: 500, code: 'core::server::fail', title: 'Broken' }, 10)
  const id = await importedAndRead(operator, csvOf([{ text: reference }]))
  expect((await pageOf(id)).lines[0]).toMatchObject({ status: 'unread', problem: 'The service could not answer' })
  await service.call('DELETE', '/sandbox/faults')
  await toItsEnd((detach) => startMatching(operator, id, detach))
  expect(await suggestedOf(id)).toEqual([[reference]])
})

describe('a second reference is found or not ruled out', () => {
  const dep = ['DEP~0a1b2c3d-4e5f.20261130', 'DEP~9a8b7c6d-5e4f.20261130'] as const
  const offered = test.extend('namesOneAlone', async ({ service, operator }) => {
    const known = await readTransaction(operator, await service.announceDeposit('10'))
    const unknown = await readTransaction(operator, 'DEP~none')
    return async (references: readonly string[], text: string) => {
      const read = async (referenceId: string) =>
        references.includes(referenceId) && known.ok ? { ...known, value: { ...known.value, referenceId } } : unknown
      const searched = await searchText({ read }, { sought: '', reference: '', text })
      return searched.ok ? searched.isWhole && searched.found.length === 1 : null
    }
  })

  offered('in texts as banks write them', async ({ namesOneAlone }) => {
    for (const [references, text] of [
      [['DP26113000001234567890', 'DP26113000009876543210'], 'DP26113000001234567890 or DP26113000009876 543210'],
      [['26.11.2026/00042', '26.11.2026/00077'], 'not 26.11.2026/00042 but 26.11.2026 /00077'],
      [['2026-11-30-66291', '2026-11-30-04849'], '2026-1 1-30-66291 or 2026-11-30 -04849'],
      [['A26.11.308620', 'A26.11.300795'], 'A26.11.308620 or A26.1 1.30 0795'],
      [['14:22:73/329317', '14:22:14/999883'], '14:22:73/329317 but Nr 14:22 :14/999883'],
      [['RF18983763930263', 'RF18011700478750'], 'RF18983763930263 not x-RF1801170 047875 0'],
      [['INV-2026-222764', 'INV-2026-734855'], 'old_I NV -2026 -734855 is INV-2026-222764'],
      [['AB1234', 'AB1234-00056789'], 'AB1234 12 AB1234-000567 89 on 3 of 4'],
      ...[`REF-${dep[1]}`, `old_${dep[1]}`, `<${dep[1]}>`, `Nr°${dep[1]}`, `x-${dep[1]}`].map(
        (other) => [dep, `${dep[0]} ${other}`] as const,
      ),
    ] as const) {
      expect.soft(await namesOneAlone(references, text), text).toBe(false)
    }
  })

  offered('behind any label, wherever it is broken', async ({ namesOneAlone }) => {
    const pairs = fc.constantFrom(dep, ['26-11-2026-00042', '26-11-2026-00077'], ['26.11/300042', '26.11/300077'])
    const labels = fc.constantFrom('', 'Ref:', 'Ref. ', 'REF-', 'old_', 'Inv/', 'Nr°', 'A:', '#', '(')
    const between = fc.constantFrom('', 'or', 'of 30-11-2026 14:22', 'NL91ABNA0417164300 Anna Payer', 'order 55012 not')
    await fc.assert(
      fc.asyncProperty(pairs, labels, between, fc.nat(25), fc.boolean(), async (pair, label, words, at, isFirst) => {
        const [one = '', other = ''] = pair
        const cut = 1 + (at % (other.length - 1))
        const broken = `${label}${other.slice(0, cut)} ${other.slice(cut)}`
        const text = isFirst ? `${broken} ${words} ${one}` : `${one} ${words} ${broken}`
        expect(await namesOneAlone(pair, text), text).toBe(false)
      }),
      { numRuns: 200 },
    )
  })
})
