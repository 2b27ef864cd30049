import { expect, test } from 'vitest'
import { FILE_MAX_BYTES } from '#lib/statements/not-a-statement.ts'
import { readFile } from './read-file.ts'
import { FileTooHard, readInWorker } from './read-in-worker.ts'
import type { ColumnMapping } from './statement.ts'

const MAPPING: ColumnMapping = {
  headings: true,
  reference: 0,
  amount: 1,
  bankReference: null,
  bookedOn: null,
  currency: null,
  text: null,
  decimalMark: null,
}

const EVERY_MS = 10

/** How often others had their turn while something was done. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  const timer = setInterval(() => {
    turns += 1
  }, EVERY_MS)
  await work().finally(() => clearInterval(timer))
  return turns
}

const full = (text: string): Uint8Array => Buffer.from(text.repeat(Math.floor(FILE_MAX_BYTES / text.length)))

test('a table is read in a thread of its own, as it would be here', async () => {
  const bytes = Buffer.from('Ref,Amount\nA,1\nB,-2')
  expect(await readInWorker(bytes, null)).toMatchObject({ kind: 'columns', head: { columns: ['Ref', 'Amount'] } })
  expect(await readInWorker(bytes, MAPPING)).toMatchObject({ kind: 'whole', leftOut: 1, lines: [{ reference: 'A' }] })
})

test('the lines of a large statement arrive whole and in order', async () => {
  const bytes = Buffer.from(
    `Ref,Amount\n${Array.from({ length: 2_500 }, (_unused, at) => `R${at},${at + 1}`).join('\n')}`,
  )
  expect(await readInWorker(bytes, MAPPING)).toEqual(readFile(bytes, MAPPING))
})

test.each([
  ['commas', full(','), 1],
  ['commas below a head', Buffer.concat([Buffer.from('Ref,Amount\n'), Buffer.alloc(4_900_000, ',')]), 2],
])(
  'five megabytes of %s are refused with their line, and others have their turn meanwhile',
  async (_name, bytes, place) => {
    let read: unknown
    const turns = await turnsDuring(async () => {
      read = await readInWorker(bytes, MAPPING)
    })
    expect(read).toMatchObject({
      kind: 'broken',
      faults: [{ place, what: expect.stringMatching(/more than 200 columns/) }],
    })
    expect(turns).toBeGreaterThan(5)
  },
)

test('what takes too long is stopped, and others have their turn meanwhile', async () => {
  const before = process.getActiveResourcesInfo().length
  const turns = await turnsDuring(() =>
    expect(readInWorker(full('<a>'), null, 500)).rejects.toBeInstanceOf(FileTooHard),
  )
  expect(turns).toBeGreaterThan(5)
  // What tests before have left to close is here for a moment; a worker or a timer of this one would stay.
  await expect.poll(() => process.getActiveResourcesInfo().length, { timeout: 5_000 }).toBeLessThanOrEqual(before)
})

test.each([
  ['closed', '</a>'.repeat(600_000)],
  ['open', ''],
])('gives up XML that nests 600,000 elements, %s', async (_name, end) => {
  const xml = Buffer.from(`<Document>${'<a>'.repeat(600_000)}${end}</Document>`)
  await expect(readInWorker(xml, null)).rejects.toBeInstanceOf(FileTooHard)
})

test.each([
  ['a column too many', Array.from({ length: 201 }, (_unused, at) => `c${at}`).join(','), /more than 200 columns/],
  ['an endless cell', `Ref,Amount\n${'x'.repeat(200_000)},1`, /This line is too long/],
  ['a long cell', `Ref,Amount\n${'x'.repeat(5_000)},1`, /more than 4,000 characters/],
])('%s is told in words', async (_name, text, words) => {
  expect(await readInWorker(Buffer.from(text), MAPPING)).toMatchObject({
    kind: 'broken',
    faults: [{ what: expect.stringMatching(words) }],
  })
})

test('an OFX element with a long name is read', async () => {
  const [long, dotted] = ['A'.repeat(30), `${'B'.repeat(15)}.BID`]
  const payment = `<STMTTRN><DTPOSTED>20260505<TRNAMT>5.00<FITID>F-1<${long}>1<${dotted}>2<NAME>Anna</STMTTRN>`
  const statement = `<STMTRS><CURDEF>BZD<BANKACCTFROM><ACCTID>123</BANKACCTFROM><BANKTRANLIST>${payment}</BANKTRANLIST></STMTRS>`
  const ofx = `<OFX><${long}S><X>1</${long}S><BANKMSGSRSV1><STMTTRNRS>${statement}</STMTTRNRS></BANKMSGSRSV1></OFX>`
  expect(await readInWorker(Buffer.from(`OFXHEADER:100\n\n${ofx}`), null)).toMatchObject({
    kind: 'whole',
    lines: [{ amount: '5.00', bankReference: 'F-1', payerName: 'Anna' }],
  })
})

test('a fault is told in few words, whatever a parser quotes', async () => {
  const read = await readInWorker(Buffer.from(`<${'a'.repeat(10_000)}>`.repeat(50)), null)
  expect(read.kind === 'broken' && read.faults[0]?.what.length).toBeLessThan(400)
})
