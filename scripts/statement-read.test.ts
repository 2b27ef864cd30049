import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readStatement } from './statement-read.ts'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'statement-read-'))
})

afterAll(() => rmSync(folder, { recursive: true }))

function place(file: Uint8Array | string, mapping?: object): readonly string[] {
  writeFileSync(join(folder, 'file'), file)
  writeFileSync(join(folder, 'mapping.json'), JSON.stringify(mapping ?? null))
  return [join(folder, 'file'), ...(mapping === undefined ? [] : ['--mapping', join(folder, 'mapping.json')])]
}

async function read(file: Uint8Array | string, mapping?: object) {
  const { code, stdout, stderr } = await readStatement(place(file, mapping))
  return { code, stderr, report: stdout === '' ? null : (JSON.parse(stdout) as unknown) }
}

const nothing = { lines: [], leftOut: [], warnings: [], faults: [], asks: [] }
const TABLE = 'Account;1\nPeriod;May\n\nDate;Amount;Ref\n05.05.2026;1.250,00;DEP-1\n06.05.2026;-7,00;OUT-1\nEnd'

test('prints what would be imported', async () => {
  const byHeadings = {
    ...{ reference: 'Ref', amount: 'Amount', bankReference: null, bookedOn: 'Date', currency: null, text: null },
    decimalMark: 'comma',
  }
  const line = {
    place: 5,
    amount: '1250.00',
    currency: '',
    reference: 'DEP-1',
    bankReference: '',
    bookedOn: '2026-05-05',
  }
  const whole = {
    code: 0,
    report: {
      ...nothing,
      format: 'csv',
      lines: [{ ...line, valueDate: '', text: '', payerName: '', payerAccount: '' }],
      leftOut: [{ kind: 'paid-out', count: 1 }],
      warnings: [{ place: 1, what: 'This line and 2 more outside the table are skipped: “Account 1”.' }],
    },
  }
  expect(await read(TABLE, byHeadings)).toMatchObject(whole)
  const byPosition = { ...byHeadings, headings: true, reference: 2, amount: 1, bookedOn: 0 }
  expect(await read(Buffer.from(TABLE, 'utf16le'), byPosition)).toMatchObject(whole)
})

test('asks for a decimal mark that the column does not decide', async () => {
  const mapping = {
    ...{ headings: true, reference: 2, amount: 1, bankReference: null, bookedOn: 0, currency: null, text: null },
    decimalMark: null,
  }
  const examples = [{ place: 2, text: '1.080', readings: { point: '1.080', comma: '1080' } }]
  const asks = [{ what: 'decimalMark', examples }]
  const table = 'Date;Amount;Ref\n05.05.2026;1.080;DEP-1'
  expect(await read(table, mapping)).toMatchObject({ code: 3, report: { ...nothing, asks } })
  expect(await read(table, { ...mapping, decimalMark: 'comma' })).toMatchObject({ code: 0 })
})

test('asks for the columns of a table', async () => {
  const asks = [
    { what: 'mapping', headings: true, columns: ['Date', 'Amount', 'Ref'], draft: { amount: 1, reference: 2 } },
  ]
  expect(await read(TABLE)).toMatchObject({ code: 3, report: { ...nothing, format: 'csv', asks } })
})

test('refuses a file in words', async () => {
  const faults = [{ place: null, what: expect.stringMatching(/^This seems to be a PDF document/) }]
  expect(await read('%PDF-1.7')).toMatchObject({ code: 2, report: { ...nothing, format: null, faults } })
  expect(await read(TABLE, { amount: 'Amount' })).toMatchObject({
    code: 2,
    report: null,
    stderr: expect.stringMatching(/mapping\.json is not a mapping/),
  })
})

test('exits with its code and prints the report alone', () => {
  const args = ['--conditions=react-server', 'scripts/statement-read.ts', ...place('%PDF-1.7')]
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect(status).toBe(2)
  expect(JSON.parse(stdout)).toMatchObject({ faults: [{ place: null }] })
})
