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

const NAMED = ':20:S\n:25:1\n:28C:1/1\n:60F:C261119PLN0,\n:61:2611201120C5,00NTRFR-1//B-1\n:86:'

test.each([
  ['Polish', 'Ma\xb3gorzata Paj\xb9k \x8cwi\xeata', 'Małgorzata Pająk Święta'],
  ['Polish in capitals', 'MA\xa3GORZATA PAW\xa3OWSKA \xafAK', 'MAŁGORZATA PAWŁOWSKA ŻAK'],
  ['Polish of ISO 8859-2', 'Ma\xb3gorzata Paj\xb1k', 'Małgorzata Pająk'],
  ['German and French', 'Stra\xdfe M\xfcller c\x9cur na\xefve', 'Straße Müller cœur naïve'],
  ['signs at the end of a word', '5 m\xb3 x\xb9 \xbfqu\xe9? \xa3am', '5 m³ x¹ ¿qué? £am'],
  ['Polish beside pounds', 'Ma\xb3gorzata Paj\xb9k \xa320', 'Ma³gorzata Paj¹k £20'],
  ['lost letters', 'Jos\xbf Garc\xbfa L\xbfpez Pe\xf1a', 'Jos¿ Garc¿a L¿pez Peña'],
  ['one sign in a word', 'Ma\xb3gorzata', 'Ma³gorzata'],
])('reads a text of %s without a declared encoding', async (_what, name, text) => {
  const read = await readPackedFile(Buffer.from(`${NAMED}${name}\n:62F:C261120PLN5,`, 'latin1'), null)
  expect(read).toMatchObject({ lines: [{ text, reference: 'R-1', bankReference: 'B-1', amount: '5.00' }] })
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
