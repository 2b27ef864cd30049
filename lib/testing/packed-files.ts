import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js'

export type Content = Readonly<Record<string, string | Uint8Array>>

export async function zip(content: Content, password?: string): Promise<Uint8Array> {
  const writer = new ZipWriter(new Uint8ArrayWriter(), password === undefined ? {} : { password })
  for (const [name, file] of Object.entries(content)) {
    await writer.add(name, new Uint8ArrayReader(typeof file === 'string' ? new TextEncoder().encode(file) : file))
  }
  return await writer.close()
}

export const inline = (text: string): string => `<c t="inlineStr"><is><t>${text}</t></is></c>`
export const figure = (value: string, style = '0'): string => `<c s="${style}"><v>${value}</v></c>`

/** A workbook of one sheet; style 1 is a date. */
export function workbook(rows: readonly string[]): Content {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const relations = 'http://schemas.openxmlformats.org/package/2006/relationships'
  const cell = (row: string, index: number): string => {
    let column = 0
    return row.replaceAll('<c ', () => `<c r="${String.fromCharCode(65 + column++)}${index + 1}" `)
  }
  const data = rows.map((row, index) => `<row r="${index + 1}">${cell(row, index)}</row>`).join('')
  return {
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    '_rels/.rels': `<Relationships xmlns="${relations}"><Relationship Id="r1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="May" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${relations}"><Relationship Id="r1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `<styleSheet xmlns="${main}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${data}</sheetData></worksheet>`,
  }
}
