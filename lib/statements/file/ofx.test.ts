import { describe, expect, test } from 'vitest'
import { readFile } from './read-file.ts'

const read = (text: string) => readFile(new TextEncoder().encode(text), null)
const faultOf = (text: string) => {
  const file = read(text)
  return file.kind === 'broken' ? file.faults[0]?.what : undefined
}

const ACCOUNT = '<BANKACCTFROM><BANKID>B<ACCTID>123</BANKACCTFROM>'
const transaction = (amount: string, rest = ''): string =>
  `<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20260505120000[-6:CST]<TRNAMT>${amount}<FITID>F-1${rest}</STMTTRN>`
const ofx = (transactions: string, account = ACCOUNT): string =>
  `OFXHEADER:100\nDATA:OFXSGML\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>BZD${account}<BANKTRANLIST><DTSTART>20260501<DTEND>20260531${transactions}</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`

describe('OFX', () => {
  const whole = {
    kind: 'whole',
    format: 'ofx',
    lines: [
      {
        place: 1,
        reference: '',
        amount: '250.00',
        currency: 'BZD',
        bankReference: 'F-1',
        bookedOn: '2026-05-05',
        text: 'Anna Payer Top-up DEP-1 & more',
        payerName: 'Anna Payer',
      },
    ],
  }
  const names = '<NAME>Anna Payer<MEMO>Top-up DEP-1 &amp; more'

  test('reads payments of version 1', () => {
    expect(read(ofx(transaction('250.00', names)))).toMatchObject(whole)
  })

  test('reads payments of version 2', () => {
    const closed = ofx(transaction('+250.00', names)).replaceAll(/<(\w+)>([^<]+)/g, '<$1>$2</$1>')
    const xml = closed.slice(closed.indexOf('<OFX>'))
    expect(read(`<?xml version="1.0"?>\n<?OFX OFXHEADER="200"?>\n${xml}`)).toMatchObject(whole)
  })

  const HEADER = 'OFXHEADER:100\nDATA:OFXSGML\n\n'
  const XML = '<?xml version="1.0" encoding="UTF-8"?>\n'

  test.each([
    ['in a comment', `<!-- ${HEADER}-->\n`],
    ['in a comment that does not end', `<!-- ${HEADER}`],
    ['on one line', HEADER.replaceAll('\n', ' ')],
    ['without line ends', HEADER.replaceAll('\n', '')],
    ['with spaces', HEADER.replaceAll(':', ' : ')],
    ['after an XML declaration', `${XML}${HEADER}`],
    ['in a comment after an XML declaration', `\ufeff${XML}<!-- ${HEADER}-->`],
    ['of version 2 after a comment', `${XML}<!-- <OFX> of the bank -->\n<?OFX OFXHEADER="200"?>`],
    ['that is missing', ''],
  ])('reads a header %s', (_which, header) => {
    const body = ofx(transaction('250.00', names)).replace(HEADER, '')
    expect(read(`${header}${body}`)).toMatchObject(whole)
    expect(read(`${header}${body.replace('<OFX>', '<OFX xmlns="urn:ofx">')}`)).toMatchObject(whole)
    expect(faultOf(`${header}${body.replace('</BANKTRANLIST>', '')}`)).toMatch(/^The OFX file is damaged/)
  })

  test('reads past comments, but drops no payment in one', () => {
    const [one, two] = [transaction('1.50'), transaction('2.50')]
    expect(read(ofx(`<!-- May > April -->${one}<!-- end -->${two}`))).toMatchObject({ lines: [{}, { amount: '2.50' }] })
    expect(faultOf(ofx(`${one}<!-- ${two} -->`))).toMatch(/damaged/)
  })

  test('decodes entities', () => {
    const encoded =
      '<NAME>O&apos;Brien &quot;Q&quot; Jos&#233;&#xE9;<MEMO>&#x3C;b&#62; &#38;lt; &amp;#45; &#x110000; &nbsp;'
    const file = read(ofx(transaction('2.50', encoded).replace('F-1', 'F&#45;1')))
    const text = 'O\'Brien "Q" Joséé <b> &lt; &#45; &#x110000; &nbsp;'
    expect(file).toMatchObject({ lines: [{ bankReference: 'F-1', payerName: 'O\'Brien "Q" Joséé', text }] })
  })

  test('reads CDATA', () => {
    const file = read(ofx(transaction('2.50', '<NAME><![CDATA[Payer & Co &apos;]]></NAME><MEMO><![CDATA[]]></MEMO>')))
    expect(file).toMatchObject({ lines: [{ payerName: 'Payer & Co &apos;', text: 'Payer & Co &apos;' }] })
    const cut = transaction('1.50', '<NAME><![CDATA[A') + transaction('2.50', '<NAME><![CDATA[B]]></NAME>')
    expect(faultOf(ofx(cut))).toMatch(/damaged/)
  })

  test.each([
    ['<NAME>Anna Payer<MEMO>', 'Anna Payer'],
    ['<CHECKNUM>\n<REFNUM>\n\n<NAME>Anna Payer\n<MEMO>\n', 'Anna Payer'],
    ['<INTU.BID><NAME>Anna Payer<MEMO>', 'Anna Payer'],
    ['<NAME>', ''],
  ])('reads payments of version 1 with empty elements: %j', (rest, text) => {
    const file = read(ofx(transaction('2.50', rest) + transaction('3.50', names)))
    const second = { place: 2, amount: '3.50', text: 'Anna Payer Top-up DEP-1 & more' }
    expect(file).toMatchObject({ lines: [{ place: 1, amount: '2.50', bankReference: 'F-1', text }, second] })
  })

  test.each([
    ['<TRNAMT>5.00', '<TRNAMT>', /^Transaction 1: its amount is missing/],
    ['<DTPOSTED>20260505120000[-6:CST]', '<DTPOSTED>', /^Transaction 1: its date is missing/],
    ['<ACCTID>123', '<ACCTID>', /does not name its account/],
    ['</STMTTRN>', '', /damaged/],
    ['</BANKTRANLIST>', '', /damaged/],
    ['</OFX>', '', /damaged/],
    ['<FITID>F-1', '<CURRENCY><CURSYM>USD', /damaged/],
  ])('refuses a file with %s replaced by %j', (part, other, fault) => {
    expect(faultOf(ofx(transaction('5.00')).replace(part, other))).toMatch(fault)
  })

  test('reads no bank reference from NONREF', () => {
    const file = read(ofx(transaction('250.00')).replace('F-1', 'NONREF'))
    expect(file).toMatchObject({ lines: [{ bankReference: '' }] })
  })

  test('reads decimal commas', () => {
    const file = read(ofx(transaction('19,90') + transaction('1250,00')))
    expect(file).toMatchObject({ lines: [{ amount: '19.90' }, { amount: '1250.00', place: 2 }] })
  })

  test('leaves out what is no booked money received', () => {
    const corrected = transaction('5.00', '<CORRECTFITID>F-0<CORRECTACTION>DELETE')
    const file = read(ofx(transaction('-7.00') + transaction('0.00') + corrected + transaction('250.00')))
    const counts = { 'paid-out': 1, 'no-amount': 1, reversal: 1 }
    expect(file).toMatchObject({ lines: [{ place: 4 }], leftOut: 3, summary: { counts } })
  })

  const typed = (type: string, amount: string): string => transaction(amount).replace('CREDIT', type)

  test.each(['DEBIT', 'Check', 'CASH', 'DIRECTDEBIT'])('refuses a %s without a minus', (type) => {
    expect(faultOf(ofx(typed(type, '80.00') + typed('DEBIT', '-7.00')))).toMatch(/^Transaction 1: its type is [DC]/)
    expect(read(ofx(typed(type, '-80.00')))).toMatchObject({ lines: [], summary: { counts: { 'paid-out': 1 } } })
    expect(read(ofx(typed(type, '0') + transaction('5.00')))).toMatchObject({ lines: [{ place: 2 }] })
  })

  test('reads a fee without a minus as received only among debits', () => {
    expect(faultOf(ofx(transaction('250.00') + typed('FEE', '12.50')))).toMatch(/^Transaction 2: its type is FEE/)
    expect(faultOf(ofx(typed('CREDIT', '-2.50') + typed('SRVCHG', '1.50')))).toMatch(/^Transaction 2: its type is SRV/)
    expect(read(ofx(typed('POS', '-7.00') + typed('FEE', '12.50')))).toMatchObject({ lines: [{ amount: '12.50' }] })
  })

  test('reads the statements of several message sets', () => {
    const set = ofx(transaction('2.50')).replace(/^.*<OFX>|<\/OFX>/gs, '')
    const file = read(ofx(transaction('1.50')).replace('</OFX>', `${set.replace('>123', '>456')}</OFX>`))
    expect(file).toMatchObject({
      lines: [
        { account: '123', amount: '1.50' },
        { account: '456', amount: '2.50', place: 2 },
      ],
    })
  })

  test('counts transactions of a credit card', () => {
    const card = ofx(transaction('2.50') + transaction('3.50')).replaceAll('BANKMSGSRSV1', 'CREDITCARDMSGSRSV1')
    const both = ofx(transaction('1.50')).replace('</OFX>', card.replace(/^.*<OFX>/s, ''))
    const remarks = [{ place: null, what: expect.stringMatching(/^Not imported: 2 transactions of other accounts/) }]
    expect(read(both)).toMatchObject({ lines: [{ amount: '1.50' }], summary: { remarks } })
    expect(read(ofx(transaction('1.50')))).toMatchObject({ summary: { remarks: [] } })
  })

  test('names the currency of a transaction', () => {
    const foreign = transaction('5.00', '<CURRENCY><CURRATE>2<CURSYM>USD</CURRENCY>')
    expect(read(ofx(foreign))).toMatchObject({ lines: [{ currency: 'USD' }] })
  })

  test.each([
    ['without an account', ofx(transaction('1.00'), ''), /does not name its account/],
    ['of a credit card', ofx('').replaceAll('BANKMSGSRSV1', 'CREDITCARDMSGSRSV1'), /no statement of a bank account/],
    ['with an ambiguous amount', ofx(transaction('1,080')), /“1,080” of transaction 1 is ambiguous/],
    ['with an amount that is none', ofx(transaction('1.2.3')), /^Transaction 1: its amount is missing or cannot/],
    ['with a date that is none', ofx(transaction('1.00')).replace('20260505', '20260230'), /^Transaction 1: its date/],
    [
      'cut between transactions',
      ofx(`${transaction('1.00').slice(0, -10)}<NAME>A${transaction('2.00').slice(9)}`),
      /^Transaction 1: it has two/,
    ],
    ['cut between debits', ofx(transaction('-1.00', transaction('2.00').slice(9, -10))), /^Transaction 1: it has two/],
    ['of several documents', ofx(transaction('1.00')).repeat(2), /2 OFX documents.*one by one/],
    ['that is damaged', ofx('<STMTTRN>').replace('</OFX>', ''), /damaged/],
  ])('refuses a file %s', (_what, text, fault) => {
    expect(faultOf(text)).toMatch(fault)
  })
})

describe('QIF', () => {
  const entry = (amount: string): string => `D05/13/2026\nT${amount}\nN42\nPAnna Payer\nMTop-up DEP-1\n^\n`

  test('reads payments of a bank account', () => {
    const text = `!Account\nNMain\n^\n!Type:Bank\n${entry('1,250.00')}${entry('-7.00')}`
    expect(read(text)).toMatchObject({
      kind: 'whole',
      format: 'qif',
      lines: [{ place: 5, amount: '1250.00', bookedOn: '2026-05-13', text: '42 Anna Payer Top-up DEP-1' }],
      summary: { counts: { 'paid-out': 1 } },
    })
  })

  test('reads a split entry after a memorised one', () => {
    const split = 'D05/13/2026\nU7.50\nT7.50\nPB\nLRent\nSRent\nE\n$5.00\nSFee\n$2.50\n^\n'
    const file = read(`!Type:Memorized\nKD\nT5.00\nPA\n^\nT1.00\n!Type:Bank\n${split}`)
    expect(file).toMatchObject({ lines: [{ amount: '7.50', text: 'B' }] })
  })

  test('counts entries of a credit card', () => {
    const card = `!Type:Cat\nNFood\n^\n!Type:CCard\n${entry('2.50')}`
    const remarks = [{ place: null, what: expect.stringMatching(/^Not imported: 1 transaction of other accounts/) }]
    expect(read(`!Type:Bank\n${entry('1.50')}${card}`)).toMatchObject({ lines: [{}], summary: { remarks } })
    expect(read(`!Type:Bank\n${entry('1.50')}`)).toMatchObject({ summary: { remarks: [] } })
  })

  test('asks for the decimal separator if no amount shows it', () => {
    expect(read(`!Type:Bank\n${entry('1,080')}`)).toMatchObject({ kind: 'columns', draft: { amount: 1 } })
  })

  test.each([
    ['of investments', '!Type:Invst\nD05/13/2026\nT5.00\n^\n', /no payments of a bank account/],
    ['that was cut', '!Type:Bank\nD05/13/2026\nT5.00\n', /does not end/],
    ['cut between entries', `!Type:Bank\n${entry('5.00').slice(0, -2)}${entry('7.50')}`, /does not end/],
    ['cut between amounts', '!Type:Bank\nT5.00\nPA\nT7.50\n^\n', /does not end/],
    ['cut before another section', '!Type:Bank\nPA\n!Type:CCard\n^\n!Type:Bank\nT7.50\n^\n', /does not end/],
  ])('refuses a file %s', (_what, text, fault) => {
    expect(faultOf(text)).toMatch(fault)
  })
})
