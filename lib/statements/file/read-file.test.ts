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
