import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readFile } from '#lib/statements/file/read-file.ts'
import { type Credit, compare, creditsIn, readingOf, statementFiles, sumsOf } from './statement-comparison.ts'

const read = (text: string) => readingOf(readFile(new TextEncoder().encode(text), null))
const mt940 = (...lines: readonly string[]): string =>
  [':20:S', ':25:1', ':28C:1/1', ':60F:C260501BZD0,00', ...lines, '-'].join('\n')
const TWO = mt940(':61:2605020502C12,50NTRFA', ':61:2605020502D4,00NTRFB', ':61:2605030503C7,50NTRFC')

const credits = (...amounts: readonly string[]): readonly Credit[] =>
  amounts.map((amount) => ({ amount, currency: 'BZD' }))

test('gives credits, a refusal or a question', () => {
  const reading = read(TWO)
  expect(reading).toMatchObject({ kind: 'read', format: 'mt940', credits: [{ amount: '12.50' }, { amount: '7.50' }] })
  expect(reading.kind === 'read' && sumsOf(reading.credits)).toBe('BZD 20.00')
  expect(read('Date,Amount\n2026-05-02,1.00')).toEqual({ kind: 'asks', why: 'its columns must be mapped' })
  expect(read(mt940(':61:2605320502C1,00NTRFA'))).toEqual({
    kind: 'refused',
    why: 'line 5: The date 2605320502 does not exist. Export the file again.',
    isEmpty: false,
  })
})

test.each([
  ['the same credits in another order, and a zero', ['7.5', '0', '12.500'], 'equal', ''],
  ['one credit fewer', ['12.50'], 'differs', 'count: 2 here, 1 there'],
  ['another amount', ['12.50', '7.05'], 'differs', 'amounts: BZD 7.50 here, BZD 7.05 there'],
  ['another sign', ['12.50', '-7.50'], 'differs', 'signs: BZD 7.50 here, BZD −7.50 there'],
  ['one amount twice', ['12.50', '12.50'], 'differs', 'amounts: BZD 7.50 here, BZD 12.50 there'],
])('compares a file with %s', (_what, amounts, kind, why) => {
  expect(compare(read(TWO), credits(...amounts))).toEqual({ kind, why })
})

test('compares currencies where both readers name them', () => {
  const [one, other] = credits('12.50', '7.50')
  const inDollars = [one!, { ...other!, currency: 'USD' }]
  expect(compare(read(TWO), inDollars)).toEqual({ kind: 'differs', why: 'amounts: BZD 7.50 here, USD 7.50 there' })
  const unnamed = [one!, { ...other!, currency: '' }]
  expect(compare(read(TWO), unnamed)).toMatchObject({ kind: 'equal' })
})

test('counts a file that is not read by its credits elsewhere', () => {
  const [damaged, empty] = [read(mt940(':61:x')), read(mt940(':61:2605020502D4,00NTRFB'))]
  expect(compare(damaged, [])).toMatchObject({ kind: 'none' })
  expect(compare(damaged, credits('1'))).toMatchObject({ kind: 'unread' })
  expect(compare(empty, credits('0.00'))).toMatchObject({ kind: 'none' })
  expect(compare(empty, credits('4.00'))).toEqual({ kind: 'differs', why: 'count: 0 here, 1 there' })
})

test('reads the answer of the independent reader', () => {
  const text = '{"credits": [{"amount": 12.5, "currency": "BZD"}, {"amount": "-7.50"}]}'
  expect(creditsIn(text)).toEqual([
    { amount: '12.5', currency: 'BZD' },
    { amount: '-7.50', currency: '' },
  ])
  expect(() => creditsIn('{"credits": [{"amount": "12,50"}]}')).toThrow()
  expect(() => creditsIn('[]')).toThrow()
})

test('leaves out files that are no statements by their names', () => {
  const folder = mkdtempSync(join(tmpdir(), 'statement-compare-'))
  for (const name of ['b/c.STA', 'a.csv', 'b/LICENSE.txt', 'parser.py', '.git/x.sta', 'node_modules/x.sta', 'noname']) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), '')
  }
  expect(statementFiles(folder)).toEqual(['a.csv', join('b', 'c.STA'), 'noname'])
  rmSync(folder, { recursive: true })
})
