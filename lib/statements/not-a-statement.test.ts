import { deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { notAStatement } from './not-a-statement.ts'

const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'))
const WANTED = 'Export the statement from online banking as camt.053, MT940, CSV or Excel'

test.each([
  ['a picture', bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR')],
  ['a picture', bytes('\xff\xd8\xff\xe0\0\x10JFIF')],
  ['a picture', bytes('GIF89a')],
  ['a picture', bytes('\0\0\0\x18ftypheic')],
  ['a PDF document', bytes('%PDF-1.7\n%\xe2\xe3')],
  ['an OpenDocument spreadsheet', bytes('PK\x03\x04\x14\0mimetypeapplication/vnd.oasis.opendocument.spreadsheet')],
  ['a Word document', bytes('PK\x03\x04\x14\0\x06\0word/document.xml')],
  ['an old Office document', bytes('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')],
  ['a compressed file', bytes('\x1f\x8b\x08\0')],
  ['a web page (HTML)', bytes('\n<!DOCTYPE html><html><body>Sign in</body></html>')],
  ['a program or other binary file', bytes('\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0')],
  ['a program or other binary file', Uint8Array.from(deflateRawSync(Buffer.alloc(9_000, 'statement 123,45 ')))],
])('%s is told as what it seems to be, with what is wanted', (what, file) => {
  expect(notAStatement(file)).toMatch(`This seems to be ${what}, not a bank statement. ${WANTED}`)
})

test.each([
  ['no bytes', new Uint8Array()],
  ['only spaces', bytes(' \r\n\r\n')],
  ['only a mark of UTF-8', bytes('\xef\xbb\xbf')],
])('%s are an empty file', (_what, file) => {
  expect(notAStatement(file)).toMatch(`The file is empty. ${WANTED}`)
})

test.each([
  ['a table', bytes('Ref,Amount\nA,1')],
  ['a table in Latin-1', bytes('Währung;Betrag\nBZD;1')],
  ['a table in UTF-16', Uint8Array.from(Buffer.from('\ufeffRef;Amount', 'utf16le'))],
  ['XML', bytes('<?xml version="1.0"?><Document/>')],
  ['MT940', bytes('{1:F01X}{4:\r\n:20:S')],
  ['an Excel workbook', bytes('PK\x03\x04\x14\0\x06\0[Content_Types].xml....xl/workbook.xml')],
  ['a ZIP archive', bytes('PK\x03\x04\x14\0\0\0statement.csv')],
  ['OFX', bytes('OFXHEADER:100\r\nDATA:OFXSGML\r\n\r\n<OFX>')],
  ['QIF', bytes('!Type:Bank\nD05/05/2026\nT250.00\n^')],
  ['a table with one NUL in it', bytes(`Ref,Amount\n${'A,1\n'.repeat(50)}\0`)],
])('%s may be a statement', (_what, file) => {
  expect(notAStatement(file)).toBeNull()
})
