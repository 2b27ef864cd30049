import { describe, expect, test } from 'vitest'
import { readFile } from './read-file.ts'
import type { ColumnMapping } from './statement.ts'

const read = (rows: readonly string[], mapping: ColumnMapping | null) =>
  readFile(new TextEncoder().encode(rows.join('\n')), mapping)

const MAPPING: ColumnMapping = {
  ...{ headings: true, reference: 1, amount: 2, bankReference: null, bookedOn: 0, currency: null, text: null },
  decimalMark: 'point',
}

const faultOf = (rows: readonly string[], mapping: ColumnMapping) => {
  const file = read(rows, mapping)
  return file.kind === 'broken' ? `${file.faults[0]?.place}: ${file.faults[0]?.what}` : ''
}

describe('a line that is not booked', () => {
  const rows = (...lines: readonly string[]) => ['Date,Ref,Amount,Value', ...lines, '2026-05-05,B,10.00,2026-05-06']

  test.each(['Pending', 'offen', 'vorgemerkt', '12.05.2026 pending', '05/12/2026 10:15 (Pending)'])(
    'is left out: %s',
    (word) => {
      const leftOut = {
        kind: 'whole',
        lines: [{ reference: 'B' }],
        debits: [],
        summary: { counts: { 'not-booked': 2 } },
      }
      const dated = rows(`${word},A,250.00,`, `${word},A,-10.00,`)
      expect(read(dated, MAPPING)).toMatchObject(leftOut)
      const valued = rows(`2026-05-05,A,250.00,${word}`, `2026-05-05,A,-10.00,${word}`)
      expect(read(valued, { ...MAPPING, valueDate: 3 })).toMatchObject(leftOut)
    },
  )

  test.each(['-', '--', '*', '\u2013'])('is refused where %s is its date', (sign) => {
    expect(faultOf(rows(`${sign},A,250.00,`), MAPPING)).toMatch(/^2: “250.00” has no date, unlike other lines/)
    expect(read(['Date,Ref,Amount', `${sign},A,250.00`], MAPPING)).toMatchObject({ lines: [{ bookedOn: sign }] })
  })

  test.each(['Pending transactions', 'Vorgemerkte Umsätze', 'Not yet booked'])('is refused below “%s”', (title) => {
    expect(faultOf(rows(`${title},,,`), MAPPING)).toMatch(
      /^2: The lines below “.*” may not be booked\. Remove them from/,
    )
    expect(read(rows(`,${title},,`, `${title},x,,`), MAPPING)).toMatchObject({ lines: [{}], leftOut: 2 })
  })

  test.each([
    [['Pending card transactions (2):,,,']],
    [['Pending transactions as of 05/12/2026,,,']],
    [['Offene Umsätze vom 12.05.2026,,,']],
    [['Pending transactions,,,', 'Amounts may change,,,']],
  ])('is refused below %j', (above) => {
    expect(faultOf(rows(...above), MAPPING)).toMatch(/^2: The lines below “(Pending|Offene) .*” may not be booked/)
  })

  test.each([
    [rows('2026-05-05,A,1.00,', 'Offene Rechnung 2026-14,,,')],
    [[...rows('2026-05-05,A,1.00,'), 'Pending transactions are not included.,,,']],
    [[...rows('2026-05-05,A,1.00,'), 'Pending transactions,,,', 'No pending transactions,,,']],
    [rows('Pending transactions,,,', 'None,,,', 'Posted transactions,,,', '2026-05-05,A,1.00,')],
    [rows('Offene Posten,,,', 'Gebuchte Umsätze,,,', '2026-05-05,A,1.00,')],
  ])('is not seen in %j', (table) => {
    expect(read(table, MAPPING)).toMatchObject({ kind: 'whole', lines: [{}, {}] })
  })
})

describe('amounts of which only some are marked as received', () => {
  const rows = (...amounts: readonly string[]) => ['Date,Ref,Amount', ...amounts.map((one) => `2026-05-05,A,"${one}"`)]

  test.each([
    ['67.40', '1,100.00 CR'],
    ['+1,100.00', '67.40'],
    ['9.00 CR', '67.40', '5.00 DR', '0.00'],
    ['+250.00', '-80.00', '67.40'],
  ])('are refused: %s, %s', (...amounts) => {
    const fault = /: “67\.40” has no sign, but other amounts have CR or a plus\. Map a column of directions/
    expect(faultOf(rows(...amounts), MAPPING)).toMatch(fault)
  })

  test.each([[['0.00', '250.00 CR', '90.00 DR']], [['0', '+250.00', '-2.00']], [['250.00', '90.00 DR', '5.00-']]])(
    'are others than %j',
    (amounts) => {
      expect(read(rows(...amounts), MAPPING)).toMatchObject({ lines: [{ amount: '250.00' }] })
    },
  )

  test('are read in a column of money received', () => {
    const credits = ['Date,Ref,Credit', ...rows('+250.00', '20.00', '9.00 CR').slice(1)]
    expect(read(credits, MAPPING)).toMatchObject({ lines: [{ amount: '250.00' }, { amount: '20.00' }, {}] })
  })

  test('are read with directions or amounts paid out', () => {
    const table = ['Date,Ref,Amount,x', '2026-05-05,A,67.40,', '2026-05-05,B,+1.00,9']
    const direction = { column: 3, values: { '': false, 9: true } }
    expect(read(table, { ...MAPPING, direction })).toMatchObject({ lines: [{ reference: 'B' }] })
    const paidOut = ['Date,Ref,Amount,x', '2026-05-05,A,67.40,', '2026-05-05,B,+1.00,']
    expect(read(paidOut, { ...MAPPING, paidOut: 3 })).toMatchObject({ lines: [{}, {}] })
  })
})

describe('a column of two kinds of payments', () => {
  const table = (heading: string, ...rows: readonly string[]) => [
    `Date,Ref,${heading}`,
    ...rows.map((row, at) => `2026-05-05,R${at},${row}`),
  ]
  const rows = ['1.00,Kupno', '2.00,Wpływ', '3.00,Wpływ']
  const fault =
    '2: The amounts have no sign, and this line has “Kupno” in column “Typ”. If that may be money paid out, map the column as direction; otherwise map its texts as received.'

  test('may be the side of amounts without sign', () => {
    expect(faultOf(table('Amount,Typ', ...rows), MAPPING)).toBe(fault)
    expect(faultOf(table('Amount,Typ', '1.00,Kupno', '2.00,Deposit'), MAPPING)).toBe(fault)
    expect(faultOf(table('Amount,Typ', '1.00,Kupno', '2.00,'), MAPPING)).toBe(fault)
    const headings = ['Tipo de movimento', 'Transaction type', 'Art', 'TYPE']
    for (const one of headings) expect(faultOf(table(`Amount,${one}`, ...rows), MAPPING)).toContain(`column “${one}”`)
  })

  test('is asked about only where the form offers it', () => {
    const offered = (kind: string) => {
      const lines = table('Amount,Typ', '1.00,Wpływ', `2.00,${kind}`)
      const file = read(lines, null)
      const isOffered = file.kind === 'columns' && file.head.values[3]?.length !== 0
      return [isOffered, faultOf(lines, MAPPING) !== '']
    }
    expect(['Kupno', '', '195', '2026-05-05', 'x'.repeat(40), 'x'.repeat(41)].map(offered)).toEqual(
      [true, true, false, false, true, false].map((one) => [one, one]),
    )
  })

  test.each([
    ['with signs', table('Amount,Typ', ...rows, '-4.00,Kupno')],
    ['with a plus', table('Amount,Typ', ...rows.map((row) => `+${row}`))],
    ['in a column of money received', table('Credit,Typ', ...rows)],
    ['of one kind', table('Amount,Typ', ...rows.slice(1))],
    ['of three kinds', table('Amount,Typ', ...rows, '4.00,Inne')],
    ['of money received', table('Amount,Typ', '1.00,Deposit', '2.00,Credit')],
    ['under another heading', table('Amount,Branch', ...rows)],
    ['of accounts', table('Amount,Account Type', '1.00,Savings', '2.00,Checking')],
    ['of codes', table('Amount,BAI Type Code', '1.00,195', '2.00,142', '3.00,195')],
    ['of long texts', table('Amount,Typ', '1.00,Wpływ', `2.00,${'x'.repeat(41)}`)],
  ])('is none for amounts %s', (_what, lines) => {
    expect(read(lines, MAPPING)).toMatchObject({ kind: 'whole' })
  })

  test('is read as it is mapped', () => {
    const lines = table('Amount,Typ', ...rows)
    const direction = { column: 3, values: { Kupno: true, Wpływ: true } }
    expect(read(lines, { ...MAPPING, direction })).toMatchObject({ lines: [{}, {}, {}] })
    expect(read(lines, { ...MAPPING, text: 3 })).toMatchObject({ lines: [{}, {}, {}] })
  })
})

describe('a column of marks of money received', () => {
  const marked = (heading: string, ...rows: readonly string[]) => [
    `Date,Ref,${heading}`,
    ...rows.map((row) => `2026-05-05,R,${row}`),
  ]

  test.each([
    ['Amount,', ['1.00,CR', '2.00,'], '3: The amounts have no sign, and this line has nothing in column Column 4.'],
    ['Amount,Side', ['1.00,', '2.00,+'], '2: The amounts have no sign, and this line has nothing in column “Side”.'],
    ['Amount,Side', ['1.00,Cr', '2.00,C', '3.00,'], '4: The amounts have no sign'],
  ])('refuses amounts without sign or mark: %s %j', (heading, rows, fault) => {
    for (const text of [null, 3]) expect(faultOf(marked(heading, ...rows), { ...MAPPING, text })).toContain(fault)
    expect(
      faultOf(
        rows.map((row) => `2026-05-05,R,${row}`),
        { ...MAPPING, headings: false },
      ),
    ).toContain('no sign')
  })

  test.each([
    ['signs', marked('Amount,Cleared', '1.00,c', '-2.00,c', '3.00,')],
    ['a heading of money received', marked('Credit,Card', '1.00,Credit', '3.00,')],
    ['a mark on each line', marked('Amount,Side', '1.00,CR', '3.00,C')],
  ])('says nothing beside %s', (_what, rows) => {
    const lines = [{ amount: '1.00' }, { amount: '3.00' }]
    expect(read(rows, MAPPING)).toMatchObject({ kind: 'whole', lines })
    expect(read(rows, null)).toMatchObject({ draft: { direction: null } })
  })

  test('belongs to the balance beside amounts paid out', () => {
    const rows = marked('Paid out,Paid in,Balance,', ',250.00,,', ',80.00,330.00,CR', '100.00,,230.00,CR')
    expect(read(rows, null)).toMatchObject({ draft: { direction: null, amount: 3, paidOut: 2 } })
    const lines = [{ amount: '250.00' }, { amount: '80.00' }]
    expect(read(rows, { ...MAPPING, amount: 3, paidOut: 2 })).toMatchObject({ lines, leftOut: 1 })
  })

  test('is not drafted before the true directions', () => {
    const rows = marked('Cleared,Amount,D/C', 'C,1.00,C', ',2.00,D', ',3.00,C')
    expect(read(rows, null)).toMatchObject({ draft: { direction: { column: 4 } } })
  })
})

describe('a column of two codes', () => {
  test.each(['D/K', '', 'Code'])('below “%s” may mark money paid out', (heading) => {
    const rows = [`Date,Ref,Amount,${heading}`, '2026-05-04,A,12.50,D', '2026-05-05,B,250.00,K']
    expect(faultOf(rows, MAPPING)).toMatch(/^2: .*\b(direction|no sign)\b/)
  })

  test('may be mapped', () => {
    const rows = [
      'Date,Ref,Amount,D/K',
      '2026-05-04,A,12.50,D',
      '2026-05-05,B,250.00,K',
      '2026-05-05,Turnover,250.00,K',
    ]
    const direction = { column: 3, values: { D: false, K: true } }
    expect(read(rows, { ...MAPPING, direction })).toMatchObject({ lines: [{ amount: '250.00' }] })
  })
})

describe('a column of the codes D and K', () => {
  test.each(['D/K', 'Kod'])('below “%s” is drafted with K as received', (heading) => {
    const rows = [`Date,Ref,Amount,${heading}`, '2026-05-04,A,12.50,D', '2026-05-05,B,250.00,K']
    expect(read(rows, null)).toMatchObject({ draft: { direction: { column: 3, values: { D: false, K: true } } } })
  })

  test('has only K on a day without debits', () => {
    const rows = (heading: string) => [`Date,Ref,Amount,${heading}`, '2026-05-04,A,12.50,K', '2026-05-05,B,250.00,K']
    expect(read(rows('D/K'), MAPPING)).toMatchObject({ lines: [{ amount: '12.50' }, { amount: '250.00' }] })
    expect(read(rows('Kod'), null)).toMatchObject({ draft: { direction: null } })
  })

  test('is not drafted beside other codes', () => {
    const rows = ['Date,Ref,Amount,Kod', '2026-05-04,A,12.50,D', '2026-05-05,B,250.00,K', '2026-05-06,C,3.00,P']
    expect(read(rows, null)).toMatchObject({ draft: { direction: null } })
  })
})

describe('a direction beside signs', () => {
  const table = (...rows: readonly string[]) => [
    'Date,Ref,Amount,D/C',
    ...rows.map((row, at) => `2026-05-05,R${at},${row}`),
  ]
  const direction = { column: 3, values: { C: true, D: false } }

  test('is not drafted if it agrees with them', () => {
    const rows = table('250.00,C', '-90.00,D', '0.00,D')
    expect(read(rows, null)).toMatchObject({ draft: { direction: null } })
    expect(read(rows, MAPPING)).toMatchObject({ lines: [{ amount: '250.00' }], leftOut: 2 })
    expect(read(rows, { ...MAPPING, direction })).toMatchObject({ lines: [{ amount: '250.00' }], leftOut: 2 })
  })

  test.each([
    [table('250.00,C', '90.00,D')],
    [table('250.00,C', '-90.00,C', '5.00,D')],
    [table('250.00,D', '-5.00,D')],
  ])('is drafted for %j', (rows) => {
    expect(read(rows, null)).toMatchObject({ draft: { direction: { column: 3 } } })
  })

  test.each([
    [table('-90.00,C', '7.00,D'), '2: “-90.00” and “C”'],
    [table('250.00,C', '-90.00,D', '5.00,D'), '4: “5.00” and “D”'],
    [table('250.00,C', '+5.00,D'), '3: “+5.00” and “D”'],
  ])('refuses the line that contradicts it: %j', (rows, fault) => {
    expect(faultOf(rows, { ...MAPPING, direction })).toBe(
      `${fault} in column “D/C” say opposite directions. Check this line at the bank, and correct or remove it.`,
    )
  })

  test('takes a negative credit beside others for its reversal', () => {
    const rows = table('250.00,C', '-90.00,C', '7.00,D')
    expect(read(rows, { ...MAPPING, direction })).toMatchObject({ lines: [{ reference: 'R0' }], leftOut: 2 })
  })

  test('is the sign for kinds of payments', () => {
    const rows = table('250.00,Transfer', '-90.00,Transfer', '-2.00,Fee', '1.00,Fee')
    const values = { Transfer: true, Fee: true }
    expect(read(rows, { ...MAPPING, direction: { column: 3, values } })).toMatchObject({ lines: [{}, {}], leftOut: 2 })
  })
})

describe('a draft', () => {
  test('takes no kinds of signed payments for directions', () => {
    const rows = ['id,Type,Amount', 'txn_1,charge,250.00', 'txn_2,payout,-242.45', 'txn_3,charge,-2.00']
    expect(read(rows, null)).toMatchObject({ draft: { direction: null } })
    const mapping = { ...MAPPING, reference: 0, bookedOn: null }
    expect(read(rows, mapping)).toMatchObject({ lines: [{ reference: 'txn_1' }], leftOut: 2 })
    const unsigned = rows.map((row) => row.replace('-', ''))
    expect(faultOf(unsigned, mapping)).toMatch(/^2: The column “Type” gives the direction/)
  })

  test('takes no directions beside amounts received and paid out', () => {
    const rows = ['Date,Transaction Type,Debit,Credit', '13/05/2026,DEB,4.50,', '05/05/2026,FPI,,250.00']
    expect(read(rows, null)).toMatchObject({ draft: { direction: null, amount: 3, paidOut: 2 } })
  })

  test.each(['Valuta', 'Munt'])('takes “%s” with codes for the currency', (heading) => {
    const rows = (other: string) => [`Datum,Amount,${heading},${other}`, '2026-05-05,250.00,SEK,EUR']
    const draft = { currency: 2, bookedOn: 0 }
    expect(read(rows('Original currency'), null)).toMatchObject({ draft })
    expect(read(rows('Code'), null)).toMatchObject({ draft: { currency: null } })
    expect(read(rows('Currency'), null)).toMatchObject({ draft: { currency: 3 } })
    const euros = rows('Branch').map((row) => row.replace('Amount', 'Amount (EUR)').replace(',EUR', ',TOP'))
    expect(read(euros, null)).toMatchObject({ draft: { currency: null } })
  })
})

test('reads signed amounts that a column of debits repeats', () => {
  const rows = [
    'Date,Ref,Amount,Money out',
    '2026-05-05,A,250.00,',
    '2026-05-05,B,-4.50,-4.50',
    '2026-05-05,C,-1.00,1.00',
  ]
  const mapping = { ...MAPPING, paidOut: 3 }
  expect(read(rows, mapping)).toMatchObject({ lines: [{ amount: '250.00' }], leftOut: 2 })
  for (const other of ['4.50,4.50', '-4.50,5.00'])
    expect(faultOf([...rows, `2026-05-05,D,${other}`], mapping)).toMatch(/^5: .*received and an amount paid out/)
})

test('lines that are not booked in Italian or Swedish are left out', () => {
  const rows = ['Date,Ref,Amount,Contabilizzazione', '2026-05-05,A,250.00,CONTABILIZZATO']
  const pending = [...rows, '2026-05-06,B,5.00,NON CONTABILIZZATO']
  const status = { column: 3, values: { CONTABILIZZATO: true, 'NON CONTABILIZZATO': false } }
  expect(read(pending, null)).toMatchObject({ draft: { status } })
  expect(faultOf(pending, MAPPING)).toMatch(/^3: The column “Contabilizzazione” gives the booking status/)
  expect(read([...rows, 'Reserverad,B,5.00,'], MAPPING)).toMatchObject({ lines: [{}], leftOut: 1 })
})

describe('a column of fees', () => {
  const rows = ['Date,Ref,Amount,Fee,Type', '2026-05-04,A,12.50,0.00,Purchase', '2026-05-05,B,500.00,0.00,Top-up']

  test('is no column of amounts paid out', () => {
    expect(read(rows, null)).toMatchObject({ draft: { paidOut: null } })
    expect(faultOf(rows, MAPPING)).toMatch(/^2: The amounts have no sign/)
  })

  test('is refused where it was mapped as paid out', () => {
    const fault = '1: Column “Fee” has fees, not amounts paid out. Choose another column, or none.'
    expect(faultOf(rows, { ...MAPPING, paidOut: 3 })).toBe(fault)
    for (const heading of ['Credit', 'Amount']) {
      const card = [`Date,Ref,${heading},Charges`, '2026-05-04,A,12.50,', '2026-05-05,B,,5.00']
      expect(read(card, { ...MAPPING, paidOut: 3 })).toMatchObject({ lines: [{ amount: '12.50' }], leftOut: 1 })
    }
  })

  test('does not refuse signed amounts', () => {
    const signed = rows.map((row) => row.replace('12.50,0.00', '-12.50,1.00'))
    expect(read(signed, MAPPING)).toMatchObject({ lines: [{ amount: '500.00' }], leftOut: 1 })
  })
})

describe('a sum of the lines above', () => {
  test('has their sign', () => {
    const rows = ['Run date,Ref,Amount', '2026-06-02,A,10.00', '2026-06-03,B,-60.00', ',C,50.00', ',D,5.00']
    expect(faultOf(rows, MAPPING)).toMatch(/^4: “50.00” has no date/)
  })

  test('is not sought for dated lines above a footnote', () => {
    const rows = ['Run date,Ref,Amount', '2026-06-02,A,10.00', '2026-06-02,B,40.00', '2026-06-03,C3,50.00', 'A note,,']
    expect(read(rows, { ...MAPPING, bookedOn: null, reference: null, text: 1 })).toMatchObject({ lines: [{}, {}, {}] })
  })
})

test('headings may end with a delimiter', () => {
  expect(read(['Date,Ref,Amount,', '2026-05-05,A,1.00'], MAPPING)).toMatchObject({ lines: [{ amount: '1.00' }] })
  expect(faultOf(['Date,Ref,Amount,', '2026-05-05,A,1.00', '2026-05-05,B,2.00,'], MAPPING)).toMatch(/^2: .*columns/)
})

test('a labelled line above is no payment', () => {
  const rows = ['Bank:;73160000;Date:;18.04.2019', 'Date;Ref;Amount;Text;More', '18.04.2019;A;1,00;t;m']
  expect(read(rows, { ...MAPPING, decimalMark: 'comma' })).toMatchObject({ lines: [{ amount: '1.00' }] })
})
