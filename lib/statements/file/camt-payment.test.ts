import { describe, expect, test } from 'vitest'
import {
  amountsOf,
  batch,
  camt,
  details,
  entry,
  faultsOf,
  linesOf,
  payment,
  read,
  wholeOf,
} from '#lib/testing/statement-texts.ts'

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

describe('a batch of debits', () => {
  const [paid, received] = ['<CdtDbtInd>DBIT</CdtDbtInd>', '<CdtDbtInd>CRDT</CdtDbtInd>']
  const REVERSAL = '<RvslInd>true</RvslInd>'
  const UNLISTED = /^Entry 1: payments went back, and the bank does not give the amount of each/
  /** Beside a payment received. */
  const readDebits = (inner: string, amount: string) => {
    const text = camt(
      entry(inner, amount, 'DBIT') + entry(details(payment('DEP-1', '100')), '100').replace('ATL-1', 'B-1'),
    )
    const { lines, debits, summary } = wholeOf(text)
    const words = [...summary.warnings, ...summary.remarks].map(({ what }) => what)
    return { lines: lines.map(({ reference, amount: of }) => `${reference} ${of}`), debits, words }
  }

  test('gives what was received within it', () => {
    const inner = details(payment('X', '150', paid) + payment('DEP-9', '50', received))
    const { lines, debits, words } = readDebits(inner, '100')
    expect([lines, words]).toEqual([['DEP-9 50', 'DEP-1 100'], []])
    expect(debits).toMatchObject([{ amount: '150', references: ['X', 'ATL-1'] }])
  })

  test.each([
    ['150', '50'],
    ['150', ''],
  ])('warns of what was received if %s and “%s” are not its sum', (out, back) => {
    const inner = details(payment('X', out, paid) + payment('DEP-9', back, received))
    expect(readDebits(inner, '120')).toMatchObject({
      lines: ['DEP-1 100'],
      words: [expect.stringMatching(/^Entry 1: .*received.*not imported/)],
    })
  })

  test('is paid out if the bank marks all as received', () => {
    const inner = details(payment('X', '50', received) + payment('Y', '50', received))
    expect(readDebits(inner, '100')).toEqual({ lines: ['DEP-1 100'], debits: [], words: [] })
  })

  test.each([
    ['lists fewer', batch(3) + payment('A', '60') + payment('B', '50'), '250'],
    ['lists fewer than it says', batch(3) + payment('A', '200') + payment('B', '50'), '250'],
    ['lists one', batch(2) + payment('A', '60'), '250'],
    ['lists none', batch(2), '250'],
    ['lists more', payment('A', '200') + payment('B', '150'), '250'],
  ])('of returns that %s is to be looked for', (_what, inner, amount) => {
    expect(readDebits(REVERSAL + details(inner), amount).words).toEqual([expect.stringMatching(UNLISTED)])
  })

  test('gives no reversal within it as received', () => {
    const inner = details(payment('X', '150', paid) + payment('DEP-9', '50', received + REVERSAL))
    expect(readDebits(inner, '100').lines).toEqual(['DEP-1 100'])
  })

  test('of one return takes back its payment', () => {
    const one = entry(REVERSAL + details(batch(1)), '100', 'DBIT').replace(/<AcctSvcrRef>.*?<.AcctSvcrRef>/, '')
    const { lines, summary } = wholeOf(camt(entry(details(payment('DEP-1', '100')), '100') + one))
    expect(lines).toMatchObject([{ returned: expect.stringMatching(/reversed/) }])
    expect(summary.remarks.map(({ what }) => what).join()).not.toContain('amount of each')
  })

  test('of returns names no payment by its sum', () => {
    const none = entry(REVERSAL + details(batch(2)), '100', 'DBIT').replace(/<AcctSvcrRef>.*?<.AcctSvcrRef>/, '')
    expect(linesOf(camt(entry(details(payment('DEP-1', '100')), '100') + none))).toMatchObject([{ returned: '' }])
  })
})

test('a debit that lists more than was booked takes back what was booked', () => {
  const debit = entry(details(payment('DEP-1', '100')), '60', 'DBIT').replace('ATL-1', 'ATL-9')
  expect(linesOf(camt(entry(details(payment('DEP-1', '100')), '100') + debit))).toMatchObject([{ returned: '' }])
})

test('a debit with charges takes back the payment that it names', () => {
  const debit = entry(details(payment('DEP-1', '100')), '102.50', 'DBIT').replace('ATL-1', 'ATL-9')
  const text = camt(entry(details(payment('DEP-1', '100')), '100') + debit)
  expect(linesOf(text)[0]?.returned).toMatch(/^The money went back: paid out again/)
  const reversed = text.replace(
    '</Amt></TxDtls></NtryDtls></Ntry></Stmt>',
    '</Amt><RvslInd>1</RvslInd></TxDtls></NtryDtls></Ntry></Stmt>',
  )
  expect(linesOf(reversed)[0]?.returned).toMatch(/^The money went back: reversed/)
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
