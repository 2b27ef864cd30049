import { expect, test } from 'vitest'
import { readPackedFile } from './read-file.ts'

const MAX_BYTES = 5 * 1024 * 1024

const CAMT =
  '<Document><BkToCstmrStmt><Stmt><Ntry><Amt Ccy="BZD">5.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts></Ntry></Stmt></BkToCstmrStmt></Document>'

/** A statement of so many bytes, because of a comment. */
const camtOf = (bytes: number): Uint8Array => {
  const [start, end] = ['<!--', `-->${CAMT}`]
  return Buffer.from(`${start}${' '.repeat(bytes - start.length - end.length)}${end}`)
}

test.each([
  ['iso-8859-2', '\xaf\xf3\xb3w', 'Żółw'],
  ['windows-1251', '\xc6\xf3\xea', 'Жук'],
  ['ISO-8859-1', '\xd6l', 'Öl'],
  ['UTF-8', '\xd6l', 'Öl'],
  ['UTF-16', '\xd6l', 'Öl'],
  ['unknown', '\xd6l', 'Öl'],
])('reads names of the declared encoding %s', async (encoding, name, text) => {
  const xml = CAMT.replace('</Sts>', `</Sts><AddtlNtryInf>${name}</AddtlNtryInf>`)
  const file = Buffer.from(`<?xml version="1.0" encoding="${encoding}"?>${xml}`, 'latin1')
  expect(await readPackedFile(file, null)).toMatchObject({ lines: [{ text }] })
})

test('says that no payment is booked yet', async () => {
  const file = Buffer.from(CAMT.replace('BOOK<', 'PDNG<'))
  const what = 'The statement has no booked incoming payments. Not booked: 1.'
  expect(await readPackedFile(file, null)).toMatchObject({ faults: [{ place: null, what }] })
})

test('reads a file of 5 MB', async () => {
  const file = camtOf(MAX_BYTES)
  expect(file).toHaveLength(MAX_BYTES)
  expect(await readPackedFile(file, null)).toMatchObject({ kind: 'whole', format: 'camt.053' })
})

test.each([
  ['a statement', camtOf(MAX_BYTES + 1)],
  ['an archive', Buffer.alloc(MAX_BYTES + 1).fill('PK\x03\x04', 0, 4)],
])('refuses %s of one byte more than 5 MB', async (_what, file) => {
  const what = 'The file is larger than 5 MB. Split it.'
  expect(await readPackedFile(file, null)).toMatchObject({ kind: 'broken', faults: [{ place: null, what }] })
})
