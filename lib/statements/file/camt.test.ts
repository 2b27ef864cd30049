import { describe, expect, test } from 'vitest'
import { readFile } from './read-file.ts'

const read = (text: string) => readFile(new TextEncoder().encode(text), null)

function wholeOf(text: string) {
  const file = read(text)
  if (file.kind !== 'whole') throw new Error(JSON.stringify(file))
  return file
}

const linesOf = (text: string) => wholeOf(text).lines
const amountsOf = (text: string) => linesOf(text).map(({ reference, amount }) => `${reference} ${amount}`)
const faultsOf = (text: string) => {
  const file = read(text)
  return file.kind === 'broken' ? file.faults.map(({ place, what }) => `${place}: ${what}`) : []
}

const camt = (entries: string): string => `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>${entries}</Stmt></BkToCstmrStmt></Document>`
const entry = (inner: string, amount = '250.00', kind = 'CRDT', status = '<Sts><Cd>BOOK</Cd></Sts>') =>
  `<Ntry><Amt Ccy="BZD">${amount}</Amt><CdtDbtInd>${kind}</CdtDbtInd>${status}<BookgDt><Dt>2026-11-20</Dt></BookgDt><AcctSvcrRef>ATL-1</AcctSvcrRef>${inner}</Ntry>`
const details = (inner: string): string => `<NtryDtls>${inner}</NtryDtls>`
const payment = (reference: string, amount = '', rest = ''): string =>
  `<TxDtls><Refs><EndToEndId>${reference}</EndToEndId></Refs>${amount === '' ? '' : `<Amt Ccy="BZD">${amount}</Amt>`}${rest}</TxDtls>`
const balance = (code: string, amount: string, side: string): string =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="BZD">${amount}</Amt><CdtDbtInd>${side}</CdtDbtInd></Bal>`
const balances = (opening: string, closing: string, side = 'CRDT'): string =>
  balance('OPBD', opening, 'CRDT') + balance('CLBD', closing, side)
const batch = (count: number): string => `<Btch><NbOfTxs>${count}</NbOfTxs></Btch>`
const creditor = (reference: string) =>
  `<RmtInf><Ustrd>rent</Ustrd><Strd><CdtrRefInf><Ref>${reference}</Ref></CdtrRefInf></Strd></RmtInf>`

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
    const notBooked = ['<Sts>PDNG</Sts>', '<Sts>INFO</Sts>', '<Sts><Cd>FUTR</Cd></Sts>', '']
    const entries = [
      ...[entry('', '1', 'DBIT'), ...notBooked.map((status) => entry('', '1', 'CRDT', status))],
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
    const pending = entry('', '1', 'CRDT', '<Sts>PDNG</Sts>')
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

describe('a batch of camt.053', () => {
  test('gives each payment separately', () => {
    const other = '<TxDtls><AmtDtls><TxAmt><Amt Ccy="BZD">150.00</Amt></TxAmt></AmtDtls></TxDtls>'
    expect(amountsOf(camt(entry(details(batch(2) + payment('A', '100.00') + other))))).toEqual(['A 100.00', ' 150.00'])
  })

  test.each([
    ['its own id', 'AcctSvcrRef', ['A-1', 'A-2'], ['A-1', 'A-2']],
    ['its transaction id', 'TxId', ['T-1', 'T-2'], ['T-1', 'T-2']],
    ['its UETR', 'UETR', ['u1', 'u2'], ['u1', 'u2']],
    ['its place, if ids repeat', 'AcctSvcrRef', ['same', 'SAME'], ['ATL-1/1', 'ATL-1/2']],
    ['its place, if an id is missing', 'TxId', ['T-1', ''], ['ATL-1/1', 'ATL-1/2']],
    ['its place, if ids are placeholders', 'TxId', ['NONREF', 'NOTPROVIDED'], ['ATL-1/1', 'ATL-1/2']],
  ])('gives each payment %s as bank reference', (_what, name, ids, expected) => {
    const payments = ids.map((id) =>
      payment('R', '125.00').replace('<Refs>', `<Refs>${id === '' ? '' : `<${name}>${id}</${name}>`}`),
    )
    expect(linesOf(camt(entry(details(payments.join(''))))).map((line) => line.bankReference)).toEqual(expected)
  })

  test('leaves out its debits and reversals, and counts them', () => {
    const debit = payment('B', '50.00', '<CdtDbtInd>DBIT</CdtDbtInd>')
    const reversal = payment('C', '10.00', '<RvslInd>1</RvslInd>')
    const file = wholeOf(camt(entry(details(payment('A', '310.00') + debit + reversal))))
    expect(file.lines).toMatchObject([{ reference: 'A', amount: '310.00' }])
    expect(file.summary).toMatchObject({ counts: { 'paid-out': 1, reversal: 1 }, remarks: [] })
  })

  test('leaves out an only payment that went the other way', () => {
    const debit = payment('B', '250.00', '<CdtDbtInd> DBIT </CdtDbtInd>')
    expect(wholeOf(camt(entry(details(debit))))).toMatchObject({ lines: [], summary: { counts: { 'paid-out': 1 } } })
  })

  test('never offers its sum for one payment', () => {
    const file = wholeOf(camt(entry(details(batch(3) + payment('A', '100.00')), '300.00')))
    expect(file.lines).toMatchObject([{ reference: 'A', amount: '100.00' }])
    expect(file.summary.remarks).toEqual([
      { place: null, what: expect.stringMatching(/^Entry 1: 300\.00 BZD was booked, .* 200\.00 is not imported/) },
    ])
  })

  test('warns of the whole sum that is not imported, per currency', () => {
    const short = entry(details(batch(3) + payment('A', '100.00')), '300.00')
    const { remarks, warnings } = wholeOf(camt(short.repeat(24) + short.replaceAll('BZD', 'USD'))).summary
    expect(warnings.map(({ what }) => what)).toEqual([
      '4,800.00 BZD of 24 batches is not imported, because the bank does not list these payments. Ask the bank for them.',
      '200.00 USD of 1 batch is not imported, because the bank does not list these payments. Ask the bank for them.',
    ])
    expect(remarks.slice(19)).toEqual([
      { place: null, what: expect.stringMatching(/^Entry 20:/) },
      { place: null, what: 'And 5 more.' },
    ])
  })

  test('that lists nothing becomes a line without a reference', () => {
    const file = wholeOf(camt(entry(details(batch(3)), '300.00')))
    expect(file.lines).toMatchObject([{ reference: '', amount: '300.00' }])
    expect(file.summary.remarks).toEqual([{ place: null, what: expect.stringMatching(/^Entry 1: a batch of 3/) }])
  })

  test.each([
    [
      'lists more than was booked',
      payment('A', '200.00') + payment('B', '100.00'),
      /sum to 300\.00, more than the 250\.00 BZD/,
    ],
    ['lists one payment of more', payment('A', '300.00'), /sum to 300\.00, more than/],
    ['lists one of several with the sum of all', batch(3) + payment('A', '250.00'), /listed as one/],
    ['lists one of several without an amount', batch(3) + payment('A'), /listed as one/],
    ['lists a payment without an amount', payment('A', '100.00') + payment('B'), /has no amount/],
    [
      'lists an amount that cannot be read',
      payment('A', '1,00.00'),
      /the amount of one of its payments cannot be read/,
    ],
    [
      'lists a payment in another currency',
      payment('A', '100.00') + payment('B', '150.00').replace('BZD', 'USD'),
      /150\.00 USD and the entry 250\.00 BZD/,
    ],
  ])('that %s is refused', (_what, inner, fault) => {
    expect(faultsOf(camt(entry(details(inner))))).toEqual([expect.stringMatching(fault)])
  })

  test('of one payment in another currency is as booked', () => {
    expect(amountsOf(camt(entry(details(payment('A', '125.00').replace('BZD', 'USD')))))).toEqual(['A 250.00'])
  })

  test('of one payment of 0 is as booked', () =>
    expect(amountsOf(camt(entry(details(payment('A', '0')))))).toEqual(['A 250.00']))

  test('is refused where a payment names no currency', () => {
    const file = read(camt(entry(details(payment('A', '100.00').replace(' Ccy="BZD"', '')))))
    expect(file).toMatchObject({ kind: 'broken', faults: [{ what: expect.stringMatching(/cannot be compared/) }] })
  })
})

describe('a payment that went back', () => {
  const returnedOf = (...entries: readonly string[]) =>
    linesOf(camt(entries.join(''))).map(({ reference, returned }) => `${reference}: ${returned}`)

  test.each(['EndToEndId', 'AcctSvcrRef', 'TxId', 'UETR', 'InstrId'])('is told by a debit with its %s', (name) => {
    const debit = entry(details(payment('DEP-1')), '250.00', 'DBIT').replace('ATL-1', 'ATL-2')
    expect(returnedOf(entry(details(payment('DEP-1'))), debit.replaceAll('EndToEndId', name))).toEqual([
      'DEP-1: The money went back: paid out again at entry 2 of this file.',
    ])
  })

  test('is told by a reversal', () =>
    expect(returnedOf(entry(details(payment('DEP-1'))), entry('<RvslInd>true</RvslInd>', '250.00', 'DBIT'))).toEqual([
      'DEP-1: The money went back: reversed at entry 2 of this file.',
    ]))

  test('is not told by a debit that is not booked', () =>
    expect(
      returnedOf(
        entry(details(payment('DEP-1'))),
        entry(details(payment('DEP-1')), '250.00', 'DBIT', '<Sts>PDNG</Sts>'),
      ),
    ).toEqual(['DEP-1: ']))

  test('is told by a debit within its batch', () =>
    expect(
      returnedOf(
        entry(
          details(
            batch(3) +
              payment('DEP-1', '100') +
              payment('DEP-2', '250') +
              payment('DEP-1', '100', '<CdtDbtInd>DBIT</CdtDbtInd>'),
          ),
        ),
      ),
    ).toEqual(['DEP-1: The money went back: paid out again at entry 1 of this file.', 'DEP-2: ']))

  const received = entry(details(payment('DEP-1')), '100') + entry(details(payment('DEP-2')), '150')
  const wentBack = (inner: string) => {
    const debit = entry(inner, '250', 'DBIT').replace('ATL-1', 'ATL-9')
    const { lines, summary } = wholeOf(camt(received + debit))
    const ofEntry = summary.remarks.filter(({ what }) => what.startsWith('Entry'))
    return [lines.map(({ returned }) => returned), ofEntry.map(({ what }) => what)]
  }
  const REVERSED = 'The money went back: reversed at entry 3 of this file.'
  const REVERSAL = '<RvslInd>true</RvslInd>'

  test('is told by each payment of a batch of returns', () =>
    expect(wentBack(REVERSAL + details(payment('DEP-2', '150') + payment('DEP-1', '100')))).toEqual([
      [REVERSED, REVERSED],
      [],
    ]))

  test('is told by a return among other payments out', () =>
    expect(wentBack(details(payment('RENT', '150') + payment('DEP-1', '100', REVERSAL)))).toEqual([[REVERSED, ''], []]))

  test.each(['', '0'])('is to be looked for if its amount is “%s”', (amount) =>
    expect(wentBack(REVERSAL + details(payment('DEP-1', amount) + payment('DEP-2', '150')))).toEqual([
      ['', REVERSED],
      ['Entry 3: payments went back, and the bank does not give the amount of each. Check which deposits they are of.'],
    ]),
  )
})

describe('charges', () => {
  const charges = (amount: string, side = 'DBIT') =>
    `<Chrgs><Rcrd><Amt Ccy="BZD">${amount}</Amt><CdtDbtInd>${side}</CdtDbtInd></Rcrd></Chrgs>`
  const remarksOf = (text: string) => wholeOf(text).summary.remarks.map(({ what }) => what)

  test('of a payment leave what was booked', () => {
    const file = camt(entry(details(payment('DEP-1', '100', charges('2.50'))), '97.50'))
    expect(amountsOf(file)).toEqual(['DEP-1 97.5'])
    expect(remarksOf(file)).toEqual(['Entry 1: charges of 2.50 BZD were deducted. The amounts are what was booked.'])
  })

  test('of an entry leave what was booked of its only payment', () =>
    expect(amountsOf(camt(entry(charges('1') + details(payment('DEP-1', '100')), '99')))).toEqual(['DEP-1 99']))

  test('of an older version are read, too', () => {
    const older = '<Chrgs><Amt Ccy="BZD">2</Amt></Chrgs>'
    expect(amountsOf(camt(entry(details(payment('DEP-1', '100', older)), '98')))).toEqual(['DEP-1 98'])
  })

  test('of a batch leave its payments whole', () => {
    const file = camt(entry(charges('3') + details(batch(2) + payment('DEP-1', '100') + payment('DEP-2', '50')), '147'))
    expect(amountsOf(file)).toEqual(['DEP-1 100', 'DEP-2 50'])
    expect(remarksOf(file)).toEqual(['Entry 1: charges of 3.00 BZD were deducted. The payments are without them.'])
  })

  test('that do not explain the difference refuse the file', () =>
    expect(faultsOf(camt(entry(details(payment('DEP-1', '100', charges('2'))), '97')))).toEqual([
      expect.stringContaining('its payments sum to 100.00, more than the 97.00 BZD'),
    ]))

  test.each([
    ['that were paid back', charges('2', 'CRDT')],
    ['in another currency', charges('2').replace('BZD', 'USD')],
  ])('%s explain nothing', (_which, others) =>
    expect(faultsOf(camt(entry(details(payment('DEP-1', '100', others)), '98')))).toHaveLength(1),
  )
})
