import { expect } from 'vitest'
import { serviceTest } from '#lib/testing/test-worlds.ts'
import { readPackedFile } from './file/read-file.ts'
import { importStatement } from './import.ts'
import { discardStatement } from './statement-list.ts'

const test = serviceTest
  .extend('importText', ({ operator }) => async (text: string, reason: string) => {
    const bytes = new TextEncoder().encode(text)
    const upload = { name: 'day.sta', bytes, mapping: null, seal: null, reason, replaces: null }
    const read = await importStatement(operator, upload, readPackedFile)
    if (read.kind !== 'preview') throw new Error(JSON.stringify(read))
    const { seal, summary } = read.preview
    const answer = await importStatement(operator, { ...upload, seal }, readPackedFile)
    return { id: answer.kind === 'imported' ? answer.id : null, warnings: summary.warnings.map(({ what }) => what) }
  })
  .extend('warningsOn', ({ importText }) => async (text: string) => {
    return (await importText(text, 'as the bank says')).warnings
  })

let counted = 0

/** Of one credit, so that the balances agree. */
function statement(number: string, opening: number, closing: number, account = 'ATLB/1'): string {
  counted += 1
  const balance = (cents: number) => `${cents < 0 ? 'D' : 'C'}261120BZD${Math.abs(cents)},00`
  const entry = `:61:2611201120C${closing - opening},00NTRFR${counted}//B${counted}`
  return `:20:S\n:25:${account}\n:28C:${number}/1\n:60F:${balance(opening)}\n${entry}\n:62F:${balance(closing)}\n-`
}

test('a chain of statements has no warnings', async ({ warningsOn }) => {
  expect(await warningsOn(statement('13', 100, 150))).toEqual([])
  expect(await warningsOn(statement('14', 150, 160))).toEqual([])
  expect(await warningsOn(`${statement('15', 160, 170)}\n${statement('16', 170, 180)}`)).toEqual([])
  expect(await warningsOn(statement('12', -20, 100))).toEqual([])
  expect(await warningsOn(statement('20', 900, 950, 'ATLB/2'))).toEqual([])
})

test('a missing number is a warning', async ({ warningsOn }) => {
  await warningsOn(statement('13', 100, 150))
  expect(await warningsOn(statement('15', 170, 180))).toEqual(['Statement 14 of account ATLB/1 is missing.'])
  expect(await warningsOn(`${statement('16', 180, 190)}\n${statement('19', 200, 210)}`)).toEqual([
    'Statements 17 to 18 of account ATLB/1 are missing.',
  ])
})

test('an opening balance that no statement closed with is a warning', async ({ warningsOn }) => {
  await warningsOn(statement('250', 100, 150))
  expect(await warningsOn(statement('1', 150, 160))).toEqual([])
  expect(await warningsOn(statement('2', -1170, 180))).toEqual([
    'The opening balance of account ATLB/1 is −1,170.00 BZD, but no imported statement closed with it. A statement may be missing.',
  ])
})

test('a statement that is twice in one file is a warning', async ({ warningsOn }) => {
  const twice = `${statement('13', 100, 150)}\n${statement('13', 100, 150)}`
  expect(await warningsOn(twice)).toEqual(['Statement 13 of account ATLB/1 is in this file twice.'])
})

test('a statement imported in another file is a warning, and needs a reason', async ({ operator, importText }) => {
  const { id } = await importText(statement('13', 100, 150), '')
  const again = await importText(statement('13', 100, 150), '')
  expect(again).toEqual({ id: null, warnings: ['Statement 13 of account ATLB/1 was already imported, in day.sta.'] })
  expect(await discardStatement(operator, id ?? '')).toBeNull()
  expect((await importText(statement('13', 100, 150), '')).id).not.toBeNull()
})
