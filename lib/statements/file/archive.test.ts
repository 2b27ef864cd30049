import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Content, figure, inline, workbook, zip } from '#lib/testing/packed-files.ts'
import { readPackedFile } from './read-file.ts'
import type { ColumnMapping } from './statement.ts'

const read = async (content: Content, mapping: ColumnMapping | null = null) =>
  await readPackedFile(await zip(content), mapping)

const mt940 = (reference: string): string =>
  `:20:S\n:25:B/1\n:28C:1/1\n:60F:C261119BZD0,00\n:61:2611201120C5,00NTRF${reference}\n:62F:C261120BZD5,00\n-`
const camt = (reference: string): string =>
  `<Document><BkToCstmrStmt><Stmt><Ntry><Amt Ccy="BZD">5.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><NtryDtls><TxDtls><Refs><EndToEndId>${reference}</EndToEndId></Refs></TxDtls></NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>`

describe('a ZIP archive', () => {
  test('with one statement is read as that', async () => {
    const file = await read({
      'may/statement.sta': mt940('DEP-1'),
      '__MACOSX/._statement.sta': 'x',
      'a.pdf': '%PDF-1.7',
    })
    expect(file).toMatchObject({ kind: 'whole', format: 'mt940', lines: [{ reference: 'DEP-1' }] })
    expect(file).toMatchObject({
      summary: {
        remarks: [{ what: 'Read may/statement.sta from the archive. Skipped a file that is not a statement.' }],
      },
    })
  })

  test.each([
    ['MT940', mt940],
    ['camt.053', camt],
  ])('with several of %s is read as one', async (_what, statement) => {
    const file = await read({ '1': statement('DEP-1'), '2': statement('DEP-2') })
    expect(file).toMatchObject({ kind: 'whole', lines: [{ reference: 'DEP-1' }, { reference: 'DEP-2' }] })
  })

  test.each([
    ['of two kinds', { '1': mt940('A'), '2': camt('B') }, /several files/],
    ['with two tables', { '1': 'Date,Amount\n1,2', '2': 'Date,Amount\n1,2' }, /several files/],
    ['without a statement', { 'a.pdf': '%PDF-1.7' }, /no bank statement/],
    ['too large', { '1': new Uint8Array(41 * 1024 * 1024) }, /more than 200 files or 40 MB/],
  ])('%s is refused', async (_what, content: Content, fault) => {
    expect(await read(content)).toMatchObject({ kind: 'broken', faults: [{ what: expect.stringMatching(fault) }] })
  })

  test('in an archive is refused', async () => {
    const inner = await zip({ '1': mt940('A') })
    const file = await read({ 'inner.zip': inner })
    expect(file).toMatchObject({ kind: 'broken', faults: [{ what: expect.stringMatching(/another archive/) }] })
  })

  test('that is encrypted or damaged is refused', async () => {
    const encrypted = await readPackedFile(await zip({ '1': mt940('A') }, 'secret'), null)
    expect(encrypted).toMatchObject({ kind: 'broken', faults: [{ what: expect.stringMatching(/encrypted/) }] })
    const bytes = await zip({ '1': mt940('A') })
    bytes[45] = (bytes[45] ?? 0) ^ 255
    const damaged = await readPackedFile(bytes, null)
    expect(damaged).toMatchObject({ kind: 'broken', faults: [{ what: expect.stringMatching(/damaged/) }] })
  })
})

describe('an Excel workbook', () => {
  const headings = ['Date', 'Amount', 'Reference', 'Bank reference'].map(inline).join('')
  const mapping: ColumnMapping = {
    ...{ headings: true, reference: 2, amount: 1, bankReference: 3, bookedOn: 0, currency: null, text: null },
    decimalMark: null,
  }

  test('asks for its columns', async () => {
    const rows = [headings, figure('46147', '1') + figure('1250.5') + inline('DEP-1') + figure('42')]
    expect(await read(workbook(rows))).toMatchObject({
      kind: 'columns',
      head: {
        columns: ['Date', 'Amount', 'Reference', 'Bank reference'],
        sample: [['2026-05-05', '1250.5', 'DEP-1', '42']],
      },
      draft: { amount: 1, reference: 2, bankReference: 3, bookedOn: 0, decimalMark: 'point' },
    })
  })

  test('gives amounts with the digits that Excel shows', async () => {
    const amounts = ['19.989999999999998', '1.125', '1250', '1e3', '-7']
    const rows = amounts.map((amount) => figure('46147', '1') + figure(amount) + inline('DEP') + inline('B'))
    const file = await read(workbook([headings, ...rows]), mapping)
    const lines = ['19.99', '1.1250', '1250', '1000'].map((amount) => ({ amount, bookedOn: '2026-05-05' }))
    expect(file).toMatchObject({ kind: 'whole', format: 'xlsx', lines, summary: { counts: { 'paid-out': 1 } } })
  })

  test('refuses a reference of more digits than Excel keeps', async () => {
    const rows = [headings, figure('46147', '1') + figure('5.5') + figure('202605000000001234') + inline('B')]
    expect(await read(workbook(rows), mapping)).toMatchObject({
      kind: 'broken',
      faults: [{ place: 2, what: expect.stringMatching(/“2\.02605e\+17” was shortened by a spreadsheet/) }],
    })
  })

  const cells = (amount: string, bank = figure('42')) => figure('46147', '1') + amount + inline('DEP') + bank
  const error = '<c t="e"><f>C9*#REF!</f><v>#REF!</v></c>'
  const uncalculated = '<c s="0"><f>1+1</f></c>'

  test.each([
    ['amount is an error', cells(error), '#REF!'],
    ['amount is an error without text', cells("<c t='e'/>"), '#NOT CALCULATED!'],
    ['amount is not calculated', cells(uncalculated), '#NOT CALCULATED!'],
    ['amount has an empty result', cells('<c t="n"><f>1+1</f><v></v></c>'), '#NOT CALCULATED!'],
    ['amount is a text not calculated', cells('<c t="str"><f>A9&amp;"1"</f></c>'), '#NOT CALCULATED!'],
    ['bank reference is an error', cells(figure('5.5'), error), '#REF!'],
    ['bank reference is not calculated', cells(figure('5.5'), uncalculated), '#NOT CALCULATED!'],
    ['date is an error', error + figure('5.5') + inline('DEP') + inline('B'), '#REF!'],
    ['bank reference is an impossible date', cells(figure('5.5'), figure('202605051234', '1')), '#####'],
    ['amount is an impossible date', cells(figure('202605051234', '1')), '#####'],
  ])('refuses a payment if its %s', async (_what, row, shown) => {
    const what = `“${shown}” is a spreadsheet error. Open the file, correct the cell and save the file again.`
    const fault = { kind: 'broken', faults: [{ place: 2, what }] }
    const plain = workbook([headings, row])
    expect(await read(plain, mapping)).toMatchObject(fault)
    const sheet = String(plain['xl/worksheets/sheet1.xml']).replaceAll(/<(\/?)(?=\w)/g, '<$1x:')
    expect(await read({ ...plain, 'xl/worksheets/sheet1.xml': sheet }, mapping)).toMatchObject(fault)
  })

  test.each([
    ['without a date', inline('') + uncalculated + inline('Total')],
    ['labelled in the column of dates', inline('Total') + uncalculated],
  ])('skips a total that is not calculated, %s', async (_where, total) => {
    const content = workbook([headings, cells(figure('5.5')), cells(figure('7')), total])
    expect(await read(content)).toMatchObject({ kind: 'columns', draft: { amount: 1, bookedOn: 0 } })
    const what = '“#NOT CALCULATED!” is skipped as a total or balance: it is labelled “Total”.'
    const summary = { counts: { total: 1 }, remarks: [{ place: 4, what }] }
    expect(await read(content, mapping)).toMatchObject({ kind: 'whole', lines: [{}, {}], summary })
  })

  test.each([
    ['42', '2', '00000042'],
    ['0', '2', '00000000'],
    ['1.2E+3', '2', '00001200'],
    ['1234567890', '2', '1234567890'],
    ['42', '0', '42'],
    ['42', '3', '42'],
    ['-42', '2', '-42'],
    ['4.5', '2', '4.5'],
  ])('gives the bank reference %s of style %s as %s', async (number, style, bankReference) => {
    const styles = `<styleSheet><numFmts><numFmt formatCode="00000000" numFmtId="164"/><numFmt numFmtId="165" formatCode="0.00"/></numFmts><cellStyleXfs><xf numFmtId="164"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"><alignment/></xf><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs><dxfs><dxf><numFmt numFmtId="165" formatCode="0000"/></dxf></dxfs></styleSheet>`
    const rows = [headings, cells(figure('5.5'), figure(number, style)), cells(figure('00'), figure('1', '2'))]
    const file = await read({ ...workbook(rows), 'xl/styles.xml': styles }, mapping)
    expect(file).toMatchObject({ kind: 'whole', lines: [{ amount: '5.5', bankReference }], leftOut: 1 })
  })

  const stylesOf = (code: string) =>
    `<x:styleSheet xmlns:x="m"><x:numFmts><x:numFmt numFmtId="164" formatCode='${code.replaceAll('<', '&lt;')}'/></x:numFmts><x:cellXfs><x:xf numFmtId="0"/><x:xf numFmtId="14"/><x:xf numFmtId="164"/></x:cellXfs></x:styleSheet>`
  const formatted = async (code: string, row: string) =>
    await read({ ...workbook([headings, row]), 'xl/styles.xml': stylesOf(code) }, mapping)
  const paidOut = { kind: 'whole', lines: [], summary: { counts: { 'paid-out': 1 } } }

  test.each([
    ['[$USD] #,##0.00', 'USD'],
    ['"US$"#,##0.00', 'USD'],
    ['[$US$-409]#,##0.00;[Red]-[$US$-409]#,##0.00', 'USD'],
    ['_([$USD]\\ * #,##0.00_);_([$USD]\\ * \\(#,##0.00\\);_(* "-"??_);_(@_)', 'USD'],
    ['[$€-407] #,##0.00', 'EUR'],
    ['#,##0.00\\ "€"', 'EUR'],
    ['#,##0.00 &#8364;', 'EUR'],
    ['[>=100000]##\\,##\\,##0.00" EUR";##,##0.00" EUR"', 'EUR'],
    ['"BZ$"#,##0.00', 'BZD'],
    ['[$$-409]#,##0.00', ''],
    ['[Red]+#,##0.00;-0.00', ''],
    ['#,##0.00_ ;[Red]\\-#,##0.00\\ ', ''],
    ['[Red][<0]-#,##0.00;#,##0.00', ''],
    ['0.00%', ''],
    ['"€ "#,##0.\\-', 'EUR'],
    ['[$CHF] #,##0".-"', 'CHF'],
    ['#,##0",\u2013"', ''],
    ['@', ''],
  ])('reads amounts of the format %s in %j', async (code, currency) => {
    expect(await formatted(code, cells(figure('250.5', '2')))).toMatchObject({ lines: [{ amount: '250.5', currency }] })
    expect(await formatted(code, cells(figure('-250.5', '2')))).toMatchObject(paidOut)
    expect(await formatted(code, cells('<c s="2" t="str"><v>7.5</v></c>'))).toMatchObject({
      lines: [{ amount: '7.5' }],
    })
  })

  test.each([
    ['General "CR"', '250.5'],
    ['0.00" Dr";0.00" Cr"', '-250.5'],
    ['[>=0]0.00" Cr";[<0]0.00" Dr"', '250.5'],
    ['[<0]0.00" Dr";0.00" Cr"', '250.5'],
    ['[<0]0.00" Dr";[>0]0.00" Cr";0', '250.5'],
  ])('takes the format %s of %s as received', async (code, amount) =>
    expect(await formatted(code, cells(figure(amount, '2')))).toMatchObject({ lines: [{ amount: '250.5' }] }),
  )

  test.each([
    ['#,##0.00" Dr"', '250.5'],
    ['#,##0.00 Dr', '250.5'],
    ['"DR "#,##0.00', '250.5'],
    ['0.00" Cr";0.00" Dr"', '-250.5'],
    ['[$USD] 0.00" Dr"', '250.5'],
    ['#,##0.00\\-', '250.5'],
    ['(#,##0.00)', '250.5'],
    ['0.00;[Red]0.00', '-250.5'],
    ['0.00" Cr";-0.00" Dr"', '-250.5'],
    ['0.00" Cr";(0.00)" Dr"', '-250.5'],
    ['[>=0]0.00" Cr";[<0]0.00" Dr"', '-250.5'],
    ['[<0]0.00" Dr";0.00" Cr"', '-250.5'],
    ['[<0]0.00" Dr"', '-250.5'],
    ['"USD "0;"USD-"0', '-250'],
    ['"USD "0', '-250'],
    ['"-USD "0', '250'],
    ['"DR "0', '250'],
  ])('takes the format %s of %s as paid out', async (code, amount) =>
    expect(await formatted(code, cells(figure(amount, '2')))).toMatchObject(paidOut),
  )

  test.each([
    ['0.00" Soll"', '250.5', '250.5 Soll'],
    ['0.00" R&amp;D <"', '250.5', '250.5 R&D <'],
    ['0.00" Dr"', '-250.5', '-250.5 Dr'],
    ['0.00" Cr";-0.00" Cr"', '-250.5', '-250.5 Cr'],
    ['[>=100]0.00" Dr";0.00" Cr"', '250.5', '250.5 Dr / 250.5 Cr'],
    ['[<0]0.00" Dr";[=0]0.00" Dr";0.00" Cr"', '250.5', '250.5 Dr / 250.5 Cr'],
    ['"Received"', '250.5', 'Received250.5'],
    ['#,##0\\.00" BZD"', '25050', '25050 as #,##0.00 BZD'],
    ['0\\.00', '250.5', '250.5 as 0.00'],
    ['0\\-00', '25050', '250-50'],
  ])('refuses amounts of the format %s of %s', async (code, amount, shown) => {
    const what = `“${shown}” is not an amount. A sign, a currency and grouped thousands are allowed.`
    const file = await formatted(code, cells(figure(amount, '2')))
    expect(file).toMatchObject({ kind: 'broken', faults: [{ place: 2, what }] })
  })

  test.each([
    ['0"."00', '25050', '250.50'],
    ['0\\,00', '25050', '250.50'],
    ['"BZD "0\\.00', '5', '0.05'],
  ])('reads amounts with the decimal separator of the format %s', async (code, number, amount) => {
    expect(await formatted(code, cells(figure(number, '2')))).toMatchObject({ lines: [{ amount }] })
    expect(await formatted(code, cells(figure(`-${number}`, '2')))).toMatchObject(paidOut)
  })

  test('asks whether a point of a format separates decimals', async () => {
    const file = await formatted('#\\.000', cells(figure('25050', '2')))
    expect(file).toMatchObject({ faults: [{ what: expect.stringMatching(/“25\.050” is ambiguous/) }] })
  })

  test.each([
    ['"INV-2/"0000', '42', 'INV-2/0042'],
    ['"TOP-"0000', '42', 'TOP-0042'],
    ['"CR"0000', '42', 'CR0042'],
    ['"TOP-"0', '42', 'TOP-42'],
    ['"USD "0', '42', 'USD 42'],
    ['0" USD"', '42', '42 USD'],
    ['"No.-"0000', '42', 'No.-0042'],
    ['0000\\-0000', '42', '0000-0042'],
    ['##\\-0000', '1234567', '123-4567'],
    ['"T-"0\\.00', '250', 'T-2.50'],
    ['#&apos;##0', '42000', '42000'],
    ['#\\.##0', '42000', '42000'],
    ['[>=10000000]##\\,##\\,##\\,##0;[>=100000]##\\,##\\,##0;##,##0', '1234567', '1234567'],
    ['dd"." mmm yyyy', '46147', '2026-05-05'],
    ['[$-409]d\\-mmm\\-yy "Dr";@', '46147', '2026-05-05'],
  ])('gives bank references of the format %s', async (code, number, bankReference) =>
    expect(await formatted(code, cells(figure('5.5'), figure(number, '2')))).toMatchObject({
      lines: [{ bankReference }],
    }),
  )

  test('asks for the decimal separator of texts among numbers', async () => {
    const mixed = (text: string) => workbook([headings, cells(figure('12.5')), cells(inline(text))])
    expect(await read(mixed('1.080'), mapping)).toMatchObject({
      ...{ kind: 'broken', head: { marks: { 1: { verdict: 'undecided', examples: [{ text: '1.080' }] } } } },
      faults: [{ place: 3, what: expect.stringMatching(/“1\.080” is ambiguous/) }],
    })
    const lines = [{ amount: '12.5' }, { amount: '1080' }]
    expect(await read(mixed('1.080'), { ...mapping, decimalMark: 'comma' })).toMatchObject({ lines })
    expect(await read(mixed('1.080,00'), mapping)).toMatchObject({ lines: [{}, { amount: '1080.00' }] })
    expect(await read(mixed('1,080.00'), mapping)).toMatchObject({ lines: [{}, { amount: '1080.00' }] })
    const inUsd = workbook([headings, cells(figure('12.5', '2')), cells(inline('1.080'))])
    expect(await read({ ...inUsd, 'xl/styles.xml': stylesOf('0.00 "USD"') }, mapping)).toMatchObject({ kind: 'broken' })
  })

  test('refuses a lost reference behind a text of its format', async () => {
    const file = await formatted('"INV"0', cells(figure('5.5'), figure('202605000000001234', '2')))
    expect(file).toMatchObject({ faults: [{ what: expect.stringMatching(/“2\.02605e\+17” was shortened/) }] })
  })

  afterEach(() => void vi.unstubAllEnvs())

  test.each([
    ['2026-05-05', '2026-05-05'],
    ['2026-05-05T00:00:00', '2026-05-05'],
    ['2026-05-05T20:30:00', '2026-05-05'],
    ['2026-05-05T23:59:59.5Z', '2026-05-05'],
  ])('reads the ISO date %s in every time zone', async (date, bookedOn) => {
    const rows = [headings, `<c t="d"><v>${date}</v></c>${figure('5.5')}${inline('DEP')}${inline('B')}`]
    for (const zone of ['America/Belize', 'UTC', 'Pacific/Auckland']) {
      vi.stubEnv('TZ', zone)
      expect(await read(workbook(rows), mapping)).toMatchObject({ lines: [{ bookedOn }] })
    }
  })

  test('ignores errors of columns that are not used', async () => {
    const row = cells(figure('5.5')) + error
    const wide = workbook([headings + inline('Balance'), row])
    expect(await read(wide, mapping)).toMatchObject({ kind: 'whole', lines: [{ amount: '5.5', bankReference: '42' }] })
  })

  test('takes an empty result of a formula as no amount', async () => {
    const rows = [headings, cells('<c t="str"><f>A9&amp;""</f><v></v></c>'), cells('<c s="0"><f>1+1</f><v>2</v></c>')]
    const file = await read(workbook(rows), mapping)
    expect(file).toMatchObject({ lines: [{ amount: '2' }], summary: { counts: { 'no-amount': 1 } } })
  })

  test('takes an inline text beside its formula as calculated', async () => {
    const text = '<c t="inlineStr"><f>A9&amp;"1"</f><is><t>B-1</t></is></c>'
    const rows = [headings, cells(figure('5.5'), text), cells('<c t="inlineStr"><f>A9</f><is><t/></is></c>')]
    expect(await read(workbook(rows), mapping)).toMatchObject({ lines: [{ bankReference: 'B-1' }], leftOut: 1 })
    const uncalculatedText = workbook([headings, cells('<c t="inlineStr"><f>A9</f></c>')])
    expect(await read(uncalculatedText, mapping)).toMatchObject({ kind: 'broken' })
  })

  test('reads CDATA sections and texts around comments', async () => {
    const honest = '&lt;v t="e">&lt;![CDATA[x]]&gt;'
    const rows = [
      headings,
      cells(inline('<![CDATA[75.25]]>'), inline('<![CDATA[<v> & "]]>')),
      cells(figure('1<!-- <c> -->0.5'), '<c t="s"><v><![CDATA[0]]></v></c>'),
      cells(figure('<![CDATA[2.5]]>'), inline(honest)),
    ]
    const shared = { 'xl/sharedStrings.xml': '<sst><si><t>a<![CDATA[ & b]]></t></si></sst>' }
    expect(await read({ ...workbook(rows), ...shared }, mapping)).toMatchObject({
      lines: [
        { amount: '75.25', bankReference: '<v> & "' },
        { amount: '10.5', bankReference: 'a & b' },
        { amount: '2.5', bankReference: '<v t="e"><![CDATA[x]]>' },
      ],
    })
  })

  test('reads a table below titles', async () => {
    const blank = inline('')
    const titles = ['Statement of account', 'Account 123'].map((title) => inline(title) + blank.repeat(4))
    const rows = (...columns: readonly string[]) => [
      ...[...titles, columns.map(inline).join('')],
      figure('46147', '1') + inline('Top-up') + blank + figure('12.5') + figure('100'),
      figure('46147', '1') + inline('Rent') + figure('3.5') + blank + figure('96.5'),
    ]
    const columns = ['Date', 'Description', 'Withdrawals', 'Deposits', 'Balance']
    const draft = { bookedOn: 0, text: 1, paidOut: 2, amount: 3 }
    expect(await read(workbook(rows(...columns)))).toMatchObject({ kind: 'columns', head: { columns }, draft })
    const unknown = ['Tag', 'Was', 'Raus', 'Rein', 'Rest']
    expect(await read(workbook(rows(...unknown)))).toMatchObject({ kind: 'columns', head: { columns: unknown } })
    const single = workbook([inline('Flag'), inline('no'), figure('1')])
    expect(await read(single)).toMatchObject({ kind: 'columns', head: { columns: ['Flag'] } })
  })

  test('names the sheet that is read if it has more', async () => {
    const one = workbook([headings, figure('46147', '1') + figure('5.5') + inline('DEP') + inline('B')])
    expect(await read(one, mapping)).toMatchObject({ kind: 'whole', summary: { remarks: [] } })
    const name = '&lt;May&gt; &amp; &quot;June&apos;s&quot; &amp;lt; '
    const book = String(one['xl/workbook.xml']).replace('"May"', `"${name}${'x'.repeat(40)}"`)
    const other = '<sheet sheetId="2" name="July" r:id="r9"/>'
    const three = { ...one, 'xl/workbook.xml': book.replace('</sheets>', `${other.repeat(2)}</sheets>`) }
    const what = `Only “<May> & "June's" &lt; ${'x'.repeat(18)}”, the first of 3 sheets, is imported.`
    expect(await read(three, mapping)).toMatchObject({ kind: 'whole', summary: { remarks: [{ what }] } })
  })

  test('with two parts of one name or a chart first is refused', async () => {
    const fault = { kind: 'broken', faults: [{ what: 'The workbook is damaged. Export it again.' }] }
    const book = workbook([headings, cells(figure('5.5'))])
    const twice = Buffer.from(await zip({ ...book, 'xl/workbook.xm_': 'x' })).toString('latin1')
    const bytes = Buffer.from(twice.replaceAll('xl/workbook.xm_', 'xl/workbook.xml'), 'latin1')
    expect(await readPackedFile(bytes, mapping)).toMatchObject(fault)
    const relations = String(book['xl/_rels/workbook.xml.rels']).replace('/worksheet"', '/chartsheet"')
    expect(await read({ ...book, 'xl/_rels/workbook.xml.rels': relations }, mapping)).toMatchObject(fault)
  })

  test('without rows is refused', async () => {
    expect(await read(workbook([]))).toMatchObject({
      kind: 'broken',
      faults: [{ what: expect.stringMatching(/empty/) }],
    })
  })
})
