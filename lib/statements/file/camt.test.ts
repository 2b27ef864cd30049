import { describe, expect, test } from 'vitest'
import {
  amountsOf,
  balances,
  batch,
  camt,
  creditor,
  details,
  entry,
  faultsOf,
  linesOf,
  payment,
  wholeOf,
} from '#lib/testing/statement-texts.ts'

describe('camt.053', () => {
  test('reads a day without movements', () => {
    const account = '<Acct><Id><IBAN>BZ1</IBAN></Id></Acct>'
    const { lines, accounts } = wholeOf(camt(account + balances('10.00', '10.00')))
    expect([lines, accounts]).toMatchObject([[], [{ opening: '10.00000000', closing: '10.00000000' }]])
    expect(faultsOf(camt(account))).toEqual(['null: The statement has no incoming payments.'])
  })

  test('gives booked credits with the creditor reference', () => {
    expect(linesOf(camt(entry(details(payment('E2E-1', '', creditor('DEP~1 &amp; co'))))))).toEqual([
      {
        account: '',
        place: 1,
        reference: 'DEP~1 & co',
        amount: '250.00',
        currency: 'BZD',
        bankReference: 'ATL-1',
        bookedOn: '2026-11-20',
        valueDate: '',
        text: 'rent',
        payerName: '',
        payerAccount: '',
        returned: '',
      },
    ])
  })

  test.each([
    ['the end-to-end id without a creditor reference', details(payment('DEP~2')), 'DEP~2'],
    ['character references', details(payment('XM&#45;1 &#x2D;&amp;#45;')), 'XM-1 -&#45;'],
    ['no reference where the payer gave none', details(payment('NOTPROVIDED')), ''],
    ['no reference that is not provided in other words', details(payment('Not Provided')), ''],
    ['no reference without details', '', ''],
  ])('reads %s', (_what, inner, reference) => {
    expect(linesOf(camt(entry(inner)))[0]?.reference).toBe(reference)
  })

  test.each([
    ['NONREF', '<TxId>T-1</TxId>', '', 'T-1'],
    ['nonref', '<TxId>NOTPROVIDED</TxId><UETR>u-1</UETR>', '', 'u-1'],
    ['Not Provided', '', '<NtryRef>N-1</NtryRef>', 'N-1'],
    ['NOTPROVIDED', '', '', ''],
  ])('reads no bank reference from %s', (word, ids, beside, expected) => {
    const inner = details(payment(word).replace('<Refs>', `<Refs><AcctSvcrRef>${word}</AcctSvcrRef>${ids}`))
    const [line] = linesOf(camt(entry(beside + inner).replaceAll('ATL-1', word)))
    expect(line).toMatchObject({ reference: '', bankReference: expected })
  })

  test('reads no bank references from a batch of NONREF', () => {
    const inner = details(payment('A', '100.00') + payment('B', '150.00'))
    const lines = linesOf(camt(entry(inner).replaceAll('ATL-1', 'NONREF')))
    expect(lines.map(({ bankReference }) => bankReference)).toEqual(['', ''])
  })

  test('matches no return to a payment by NONREF', () => {
    const both = entry(details(payment('A'))) + entry(details(payment('RENT')), '250.00', 'DBIT')
    expect(linesOf(camt(both.replaceAll('ATL-1', 'NONREF')))).toMatchObject([{ reference: 'A', returned: '' }])
  })

  test.each([
    [
      'older',
      '<Dbtr><Nm>Anna Payer</Nm></Dbtr><DbtrAcct><Id><IBAN>NL91ABNA0417164300</IBAN></Id></DbtrAcct>',
      'NL91ABNA0417164300',
    ],
    [
      'newer',
      '<Dbtr><Pty><Nm>Anna Payer</Nm></Pty></Dbtr><DbtrAcct><Id><Othr><Id>0042</Id></Othr></Id></DbtrAcct>',
      '0042',
    ],
  ])('reads payer and value date of %s versions', (_which, parties, payerAccount) => {
    const inner = `<ValDt><Dt>2026-11-21</Dt></ValDt>${details(payment('R', '', `<RltdPties>${parties}</RltdPties>`))}`
    const line = { payerName: 'Anna Payer', payerAccount, bookedOn: '2026-11-20', valueDate: '2026-11-21' }
    expect(linesOf(camt(entry(inner)))).toMatchObject([line])
    expect(linesOf(camt(entry(inner.replace('2026', '9999'))))[0]?.valueDate).toBe('')
  })

  test('reads what the bank says beside the payer', () => {
    const inner = details(payment('R', '', `${creditor('C')}<AddtlTxInf>Top-up R-1</AddtlTxInf>`))
    expect(linesOf(camt(entry(`${inner}<AddtlNtryInf>CREDIT</AddtlNtryInf>`)))[0]?.text).toBe('rent Top-up R-1 CREDIT')
  })

  test('leaves out what is no booked money received', () => {
    const codes = ['<Cd>FUTR</Cd>', '<Prtry>booked tomorrow</Prtry>']
    const notBooked = ['PDNG', 'INFO', ...codes].map((status) => `<Sts>${status}</Sts>`)
    const entries = [
      ...[entry('', '1', 'DBIT', '<Sts/>'), ...notBooked.map((status) => entry('', '1', 'CRDT', status))],
      ...[entry('', '0.00'), entry(details(payment('R')), '1', 'CRDT', '<Sts>BOOK</Sts>')],
    ]
    const file = wholeOf(camt(entries.join('')))
    expect(file.lines).toMatchObject([{ place: 7, reference: 'R' }])
    expect(file.summary.counts).toEqual({ 'paid-out': 1, 'not-booked': 4, 'no-amount': 1 })
  })

  test.each(['true', '1', ' true ', '\n1\n', '<![CDATA[ true ]]>'])('leaves out a reversal told as %j', (value) => {
    const file = wholeOf(camt(entry(`<RvslInd>${value}</RvslInd>`) + entry(details(payment('R')))))
    expect(file.lines).toHaveLength(1)
    expect(file.summary.counts).toEqual({ reversal: 1 })
  })

  test.each(['false', '0', ''])('reads an entry whose reversal indicator is %j', (value) => {
    expect(linesOf(camt(entry(`<RvslInd>${value}</RvslInd>`)))).toHaveLength(1)
  })

  test.each([
    ['XML that is broken', '<Document><a></Document>', /^\d+: The XML is broken/],
    ['XML that is cut off', camt(entry('')).slice(0, -30), /^null: The file ends before its statement does/],
    ['XML that is cut off between elements', '<Document>\n<a>x</a>', /^null: The file ends before its statement does/],
    ['other XML', '<Document><Other/></Document>', /not a camt\.053, camt\.052 or camt\.054/],
    ['two messages', camt(`${entry('')}</Stmt></BkToCstmrStmt><BkToCstmrStmt><Stmt>`), /2 camt messages/],
    ['an amount that is none', camt(entry('', 'x')), /^null: Entry 1: its amount is missing/],
    ['an amount with grouping', camt(entry('', '1,250.00')), /^null: Entry 1: its amount is missing/],
    ['no side', camt(entry('', '1', '')), /Entry 1: it has neither CRDT nor DBIT/],
    ['no status', camt(entry('', '1', 'CRDT', '')), /Entry 1: .*status \(Sts\) is missing.*Ask the bank.*such as BOOK/],
    ['a day that does not exist', camt(entry('').replace('11-20', '02-30')), /booking date 2026-02-30 is not a day/],
    ['a day of a debit', camt(entry('', '1', 'DBIT').replace('2026', '9999')), /9999-11-20 is not a day of the years/],
    ['a reversal indicator that is none', camt(entry('<RvslInd>yes</RvslInd>')), /neither true nor false/],
    ['entities of its own', `<!DOCTYPE a [<!ENTITY b "c">]>${camt(entry(''))}`, /declares XML entities/],
  ])('refuses %s whole', (_what, text, fault) => {
    expect(faultsOf(text)[0]).toMatch(fault)
  })

  test.each([
    ['camt.052', 'BkToCstmrAcctRpt', 'Rpt', /interim report \(camt\.052\)/],
    ['camt.054', 'BkToCstmrDbtCdtNtfctn', 'Ntfctn', /notification \(camt\.054\)/],
  ])('reads booked credits of %s and says what it is', (format, element, part, remark) => {
    const pending = entry('', '1', 'CRDT', format === 'camt.052' ? '' : '<Sts>PDNG</Sts>')
    const text = camt(entry(details(payment('R'))) + pending)
    const file = wholeOf(text.replaceAll('BkToCstmrStmt', element).replaceAll('Stmt>', `${part}>`))
    expect(file).toMatchObject({ format, lines: [{ reference: 'R' }], summary: { counts: { 'not-booked': 1 } } })
    expect(file.summary.remarks).toEqual([{ place: null, what: expect.stringMatching(remark) }])
  })

  test('reads the first version', () => {
    const text = camt(entry(`${batch(1)}${payment('R')}`)).replaceAll('BkToCstmrStmt', 'BkToCstmrStmtV01')
    expect(amountsOf(text)).toEqual(['R 250.00'])
  })

  test('compares the balances with the booked entries', () => {
    const entries = entry('', '100.00') + entry('', '40.00', 'DBIT') + entry('', '7', 'CRDT', '<Sts>PDNG</Sts>')
    expect(wholeOf(camt(balances('10.00', '70.00') + entries)).summary.warnings).toEqual([])
    const inOther = entries + entry('').replace('BZD', 'USD')
    expect(wholeOf(camt(balances('10.00', '50.00') + inOther)).summary.warnings).toEqual([])
    expect(wholeOf(camt(balances('10.00', '50.00', 'DBIT') + entries)).summary.warnings).toEqual([
      { place: null, what: expect.stringMatching(/give 70\.00 BZD, but the closing balance is −50\.00 BZD/) },
    ])
  })

  test('reads account, number and balances', () => {
    const account = '<Acct><Id><IBAN>BZ12ATLB1</IBAN></Id><Ccy>BZD</Ccy></Acct><ElctrncSeqNb>14</ElctrncSeqNb>'
    const text = camt(account + balances('10.00', '240.00', 'DBIT') + entry(''))
    const named = { account: 'BZ12ATLB1', number: '14', currency: 'BZD' }
    expect(wholeOf(text).accounts).toEqual([{ ...named, opening: '10.00000000', closing: '-240.00000000' }])
  })

  test('says that the bank sent it before', () => {
    const { remarks } = wholeOf(camt(`<CpyDplctInd>DUPL</CpyDplctInd>${entry('')}`)).summary
    expect(remarks).toEqual([{ place: null, what: expect.stringMatching(/duplicate of a statement/) }])
  })

  test('says that a page is not the last', () => {
    const page = '<StmtPgntn><PgNb>1</PgNb><LastPgInd>0</LastPgInd></StmtPgntn>'
    expect(wholeOf(camt(page + entry(''))).summary.remarks).toEqual([
      { place: null, what: 'This is page 1 of several. Import the other pages too.' },
    ])
    expect(wholeOf(camt(page.replace('>0<', '>1<') + entry(''))).summary.remarks).toEqual([])
  })
})
