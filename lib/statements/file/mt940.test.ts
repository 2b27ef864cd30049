import { describe, expect, test } from 'vitest'
import { faultsOf, linesOf, wholeOf } from '#lib/testing/statement-texts.ts'

const mt940 = (lines: string, closing: string): string =>
  `:20:STMT\n:25:BANK/123\n:28C:1/1\n:60F:C261119BZD1000,00\n${lines}\n:62F:C261120BZD${closing}\n-`
/** A credit of 100.00 with these names behind its type, and this text. */
const credit = (names: string, text = ''): string =>
  `:61:2611201120C100,00NTRF${names}${text === '' ? '' : `\n:86:${text}`}`
const joined = mt940(credit('X'), '1100,00').replace(/-$/, '')
const lineOf = (names: string, text = '') => linesOf(mt940(credit(names, text), '1100,00'))[0]

describe('MT940', () => {
  test('gives credits with their references and the text', () => {
    expect(linesOf(mt940(':61:2611201120C250,5NTRFDEP-1//ATL-1\n:86:Top-up\nsecond line', '1250,50'))).toEqual([
      {
        account: 'BANK/123',
        place: 5,
        reference: 'DEP-1',
        amount: '250.5',
        currency: 'BZD',
        bankReference: 'ATL-1',
        bookedOn: '2026-11-20',
        valueDate: '2026-11-20',
        text: 'Top-up second line',
        payerName: '',
        payerAccount: '',
        returned: '',
      },
    ])
  })

  test('reads a day without movements', () => {
    const { lines, accounts, summary } = wholeOf(mt940(':86:No movements', '1000,00'))
    expect([lines, accounts, summary.warnings]).toEqual([
      [],
      [{ account: 'BANK/123', number: '1', currency: 'BZD', opening: '1000.00000000', closing: '1000.00000000' }],
      [],
    ])
    expect(wholeOf(mt940(':86:No movements', '1100,00')).summary.warnings).toHaveLength(1)
    expect(faultsOf(mt940('', '1000,00').replace(':25:BANK/123', ''))).toEqual([
      'null: The statement has no incoming payments.',
    ])
  })

  test('puts each text to the entry before it', () => {
    const entries = [
      ':61:2611201120C250,50NTRFNONREF//ATL-1',
      '/supplementary details',
      ':86:166?00CREDIT?20SVWZ+DEP~90/ad',
      '?21 7%2B thanks?32ANA PAYER',
      ':61:2611201120C100,00NTRFX',
      ':61:2611201120D50,00NTRFNONREF',
      ':86:of the debit',
    ]
    const text = `${mt940(entries.join('\n'), '1300,50')}\n:86:of the whole statement`
    expect(linesOf(text.replaceAll('\n', '\r\n')).map((line) => line.text)).toEqual([
      'CREDIT SVWZ+DEP~90/ad 7%2B thanks ANA PAYER /supplementary details',
      '',
    ])
  })

  test.each([
    ['the second line of an entry', 'NONREF//B-1\nTop-up DEP-1', 'Top-up DEP-1', ''],
    ['several texts of an entry', 'NONREF//B-1\nDEP-1\n:86:one\nmore\n:86:166?20two', 'one more DEP-1 two', 'one more'],
    ['one text of an entry', 'NONREF//B-1\n:86:one', 'one', undefined],
  ])('reads %s', (_what, names, text, keyText) => {
    expect(lineOf(names)).toMatchObject({ text })
    expect(lineOf(names)?.keyText).toBe(keyText)
  })

  test('finds a payment that went back on a second line', () => {
    const entries = `${credit('DEP-1234')}\n:61:2611201120D100,00NRTINONREF\nReturn DEP-1234\n:86:Return`
    const { lines, returns } = wholeOf(mt940(entries, '1000,00'))
    expect([lines[0]?.returned, returns[0]?.debit.keyText]).toEqual([expect.stringMatching(/went back/), 'Return'])
  })

  test.each([
    [
      'German parts',
      '166?20SVWZ+Top-up?30BANKBIC?31DE02120300000000202051?32Anna ?33Maria Payer',
      'Anna Maria Payer',
      'DE02120300000000202051',
    ],
    [
      'the ordering party',
      '/ORDP//NAME/Anna Payer/IBAN/NL91ABNA0417164300/BENM//NAME/Wallet',
      'Anna Payer',
      'NL91ABNA0417164300',
    ],
    [
      'the counterparty',
      '/TRCD/00100/CNTP/NL91ABNA0417164300/ABNANL2A/Anna Payer///REMI/USTD//Top-up/',
      'Anna Payer',
      'NL91ABNA0417164300',
    ],
    ['the beneficiary alone', '/BENM//NAME/Wallet/REMI/Top-up', '', ''],
    ['free text', 'Top-up by Anna', '', ''],
  ])('reads the payer from %s', (_what, text, payerName, payerAccount) => {
    expect(lineOf('NONREF', text)).toMatchObject({ payerName, payerAccount })
  })

  test('keeps booking date and value date apart', () => {
    const entry = ':61:2512310102C100,00NTRFDEP-1//ATL-1'
    expect(linesOf(mt940(entry, '1100,00'))).toMatchObject([{ bookedOn: '2026-01-02', valueDate: '2025-12-31' }])
  })

  test('leaves out what is no money received, and says why', () => {
    const entries = [
      credit('NONREF', 'a'),
      ':61:2611201120D50,50NTRFX//Y',
      ':61:2611201120RC20,00NTRFX//Y',
      ':61:2611201120RD5,00NTRFX//Y',
      ':61:2611201120C0,00NTRFX//Y',
    ]
    const file = wholeOf(mt940(entries.join('\n'), '1034,50'))
    expect(file.lines).toMatchObject([{ place: 5, reference: '' }])
    expect(file.summary.counts).toEqual({ 'paid-out': 1, reversal: 2, 'no-amount': 1 })
  })

  test('reads statements one after the other, each with its currency', () => {
    const other = mt940(credit('DEP-2'), '1100,00').replaceAll('BZD', 'USD')
    expect(linesOf(`${mt940(credit('DEP-1'), '1100,00')}\n${other}`)).toMatchObject([
      { reference: 'DEP-1', currency: 'BZD' },
      { reference: 'DEP-2', currency: 'USD' },
    ])
  })

  test.each([
    ['lines above', `BANKBZBZ\n940\n${mt940(credit('DEP-1'), '1100,00')}`],
    ['message blocks', `{1:F01BANK}{2:I940BANK}{4:\n${mt940(credit('DEP-1'), '1100,00')}}`],
    ['a blank entry date', mt940(':61:261120    C100,00NTRFDEP-1', '1100,00')],
    ['no entry date', mt940(':61:261120C100,00NTRFDEP-1', '1100,00')],
    ['a funds code', mt940(':61:2611201120CD100,00NTRFDEP-1', '1100,00')],
    ['a space behind the amount', mt940(':61:2611201120C100,00 NTRFDEP-1', '1100,00')],
    ['a type of three letters', mt940(':61:2611201120C100,00NOV DEP-1', '1100,00')],
    ['a closing balance without currency', mt940(credit('DEP-1'), '1100,00').replace(/(:62F:.*)BZD/, '$1')],
    ['a text that looks like a tag', mt940(credit('DEP-1', 'Top-up of\n:12:00 o’clock'), '1100,00')],
    ['spaces before tags', mt940(credit('DEP-1'), '1100,00').replaceAll(/^:(?=[26])/gm, ' \t:')],
    ['lines above and spaces before tags', `BANK\n${mt940(credit('DEP-1'), '1100,00')}`.replaceAll('\n:', '\n  :')],
    ['lines that end in CR', mt940(credit('DEP-1'), '1100,00').replaceAll('\n', '\r')],
    ['its end in the last field', mt940(credit('DEP-1'), '1100,00').replace(/\n-$/, '-}{5:{CHK:1}}')],
    ['no end', mt940(credit('DEP-1'), '1100,00').replace(/\n-$/, '')],
  ])('reads a file with %s', (_what, text) => {
    const { lines, summary } = wholeOf(text)
    expect(lines).toMatchObject([{ reference: 'DEP-1', amount: '100.00', bookedOn: '2026-11-20' }])
    expect([summary.warnings, summary.remarks]).toEqual([[], []])
  })

  test('never adds an indented entry to a text', () => {
    const entries = `${credit('A', 'Top-up')}\n  ${credit('B', 'Top-up')}`
    expect(linesOf(mt940(entries, '1200,00')).map(({ reference, text }) => `${reference} ${text}`)).toEqual([
      'A Top-up',
      'B Top-up',
    ])
  })

  test.each([
    ['2512310102', '2026-01-02'],
    ['2601021231', '2025-12-31'],
    ['2402280229', '2024-02-29'],
    ['2703010228', '2027-02-28'],
    ['2611200000', '2026-11-20'],
  ])('reads the entry date of %s', (dates, day) => {
    expect(linesOf(mt940(`:61:${dates}C100,00NTRFX`, '1100,00'))[0]?.bookedOn).toBe(day)
  })

  test.each([
    [
      'no balance',
      mt940('', '1,').replaceAll(/:6[02]F.*\n/g, ''),
      /^1: The opening balance \(:60F:\) is missing.*balance before the first payment.*ask the bank for the whole/,
    ],
    [
      'an opening balance that is none',
      mt940('', '1,').replace('BZD1000,00', 'BZD1.000,00').replace('BZD1,', '1,'),
      /^4: The opening balance \(:60F:\) cannot be read.*C or D, a date, a currency, and an amount.*Export the/,
    ],
    ['a part of a statement', ':61:2611201120C100,00NTRFX', /no statement \(:20:\)/],
    ['another closing currency', mt940(credit('X'), '1100,00').replace(/:62F:C261120BZD/, ':62F:C261120USD'), /^6:/],
    ['a line that is none', mt940(':61:tomorrow', '1000,00'), /^5: This statement line \(:61:\) cannot be read/],
    ['a date that is none', mt940(':61:2602311120C100,00NTRFX', '1100,00'), /^5: The date 2602311120 does not exist/],
    ['an entry date that is none', mt940(':61:2703010229C100,00NTRFX', '1100,00'), /^5: The date 2703010229 does not/],
    [
      'an entry before a statement',
      `${credit('X')}\n${mt940(credit('Y'), '1100,00')}`,
      /^1: .*\(:20:\) is missing above this line \(:61:\)/,
    ],
    ['two accounts', `${joined}:25:BANK/9`, /^7: .*\(:20:\) is missing above this line \(:25:\)/],
    ['two accounts with owners', `${joined}:25P:BANK/9`.replace(':25:', ':25P:'), /^7: .*above this line \(:25P:\)/],
    ['an account and one with its owner', `${joined}:25P:BANK/9`, /^7: .*above this line \(:25P:\)/],
    ['two opening balances', `${joined}:60F:C261120BZD1100,00`, /^7: .*\(:20:\) is missing above this line \(:60F:\)/],
    ['an amount with a point', mt940(':61:2611201120C100.00NTRFX', '1100,00'), /^5:/],
    ['an interim report', ':20:INTERIM\n:25:A\n:34F:BZDC0,\n:61:2611201120C100,00NTRFX', /interim report \(MT942\)/],
    ['an interim message', '{1:F01BANK}{2:O9421200BANK}{4:\n:20:INTERIM', /interim report \(MT942\)/],
  ])('refuses a file with %s', (_what, text, fault) => {
    expect(faultsOf(text)).toEqual([expect.stringMatching(fault)])
  })
})

test('reads account, number and balances of each statement', () => {
  const [first, second] = [mt940(credit('A'), '1100,00'), mt940(credit('B'), '1100,00')]
  const page = second
    .replace('1/1', '1/2')
    .replace('60F:C261119BZD1000,00', '60M:C261119BZD1100,00')
    .replace('1100,00\n-', '1200,00\n-')
  const other = second.replace('BANK/123', 'BANK/9').replace('28C:1/1', '28C:7')
  expect(wholeOf([first, page, other].join('\n')).accounts).toEqual([
    { account: 'BANK/123', number: '1', currency: 'BZD', opening: '1000.00000000', closing: '1200.00000000' },
    { account: 'BANK/9', number: '7', currency: 'BZD', opening: '1000.00000000', closing: '1100.00000000' },
  ])
})

describe('the pages of an MT940 statement', () => {
  const page = (number: number, opening: string, closing: string): string =>
    mt940(credit(`P${number}`), '0,00')
      .replace('1/1', `1/${number}`)
      .replace(/60F.*/, opening)
      .replace(/62F.*/, closing)
  const first = page(1, '60F:C261119BZD1000,00', '62M:C261120BZD1100,00')
  const last = page(2, '60M:C261120BZD1100,00', '62F:C261120BZD1200,00')
  const NEXT = /^6: .*interim balance \(:62M:\).*next page/
  const BEFORE = /^4: .*interim balance \(:60M:\).*page before/

  test.each([
    ['all', [first, last], []],
    ['the first alone', [first], [NEXT]],
    ['the last alone', [last], [BEFORE]],
    ['the first and another', [first, last.replaceAll('BZD1', 'BZD2')], [NEXT, /^11: .*\(:60M:\)/]],
  ])('%s: remarks on those that are missing', (_which, pages, remarks) => {
    const { lines, summary } = wholeOf(pages.join('\n'))
    expect(lines).toHaveLength(pages.length)
    expect(summary.remarks.map(({ place, what }) => `${place}: ${what}`)).toEqual(
      remarks.map((one) => expect.stringMatching(one)),
    )
  })

  test('are read together without a start of each', () => {
    const { lines, accounts, summary } = wholeOf(`${first}\n${last.replace(/^:2[05].*\n/gm, '')}`)
    expect(lines.map(({ reference }) => reference)).toEqual(['P1', 'P2'])
    expect(accounts).toMatchObject([{ opening: '1000.00000000', closing: '1200.00000000' }])
    expect([summary.warnings, summary.remarks]).toEqual([[], []])
  })
})

describe('the balances of MT940', () => {
  test.each([
    ['differ', mt940(credit('X'), '1200,00'), /^6: .*give 1,100\.00 BZD, but the closing balance is 1,200\.00 BZD/],
    ['lack the opening', mt940(credit('X'), '1100,00').replace(/:60F.*\n/, ''), /^1: The opening balance \(:60F:\)/],
    ['lack the closing', mt940(credit('X'), '1100,00').replace(/:62F.*\n/, ''), /^1: The closing balance \(:62F:\)/],
  ])('that %s are a warning', (_what, text, warning) => {
    const { lines, summary } = wholeOf(text)
    expect(lines).toMatchObject([{ amount: '100.00', currency: 'BZD' }])
    expect(summary.warnings.map(({ place, what }) => `${place}: ${what}`)).toEqual([expect.stringMatching(warning)])
  })

  test('are added up without a float', () => {
    const dimes = Array.from({ length: 3 }, () => ':61:2611201120C0,10NTRFX').join('\n')
    expect(wholeOf(mt940(dimes, '1000,30')).summary.warnings).toEqual([])
  })
})

test('reads text and payer from tag NS', () => {
  const text = `:61:2611201120C100,00NTRFX\n:NS:01Top-up\n02DEP-1\n15Anna\n16Payer\n17Transfer`
  expect(linesOf(mt940(text, '1100,00'))).toMatchObject([{ text: 'Top-up DEP-1', payerName: 'Anna Payer' }])
})

describe('the references of MT940', () => {
  test.each([
    ['longer than 16', 'PAY-2026-000170459//ISL0005', 'PAY-2026-000170459', 'ISL0005'],
    ['with one slash', 'TOP/2026/77//ISL0007', 'TOP/2026/77', 'ISL0007'],
    ['with a long bank reference', 'MT-6//2026050500001234501', 'MT-6', '2026050500001234501'],
    ['with a slash in the bank reference', 'MT-6//2026/05/1', 'MT-6', '2026/05/1'],
    ['without a bank reference', 'MT-6', 'MT-6', ''],
    ['that say there is none', 'NONREF//B-1', '', 'B-1'],
    ['that say there is no bank reference', 'MT-6//NONREF', 'MT-6', ''],
    ['that say neither is provided', 'Not Provided//NOTPROVIDED', '', ''],
  ])('%s are read whole', (_what, names, reference, bankReference) => {
    expect(lineOf(names)).toMatchObject({ reference, bankReference })
  })

  test('stay empty where nobody knows their end', () => {
    expect(lineOf('TOP//2026//77')).toMatchObject({ reference: '', bankReference: '' })
  })

  test('stay empty where the bank cut them', () => {
    expect(lineOf('PAY-2026-0001704//B-1', 'for PAY-2026-000170459')).toMatchObject({
      reference: '',
      bankReference: 'B-1',
    })
    expect(lineOf('PAY-2026-0001704//B-1', 'for PAY-2026-0001704')?.reference).toBe('PAY-2026-0001704')
  })

  test.each([
    ['EREF', '/EREF/MT-8//REMI/USTD//TOP UP/', 'MT-8'],
    ['EREF+', '/EREF/TOP/2026/77/REMI/x', 'TOP/2026/77'],
    ['KREF', '166?00CREDIT?20EREF+OTHER?21KREF+MT-8?22SVWZ+x', 'MT-8'],
    ['EREF', 'EREF+MT-8 SVWZ+thanks', 'MT-8'],
    ['MREF', 'EREF+MT-8', ''],
    ['EREF', '166?20EREF+PAY-2026-00017045912345?21678?22SVWZ+x', ''],
    ['EREF', '/EREF/MT-8', ''],
    ['EREF', `/TRTP/${'X'.repeat(49)}/EREF/TOP/\n2026/77/REMI/x`, ''],
    ['EREF', `/TRTP/${'X'.repeat(48)}/EREF/TOP/\n/REMI/x`, 'TOP'],
    ['EREF', `/EREF/TOP/2026/REMI/${'X'.repeat(45)}`, 'TOP/2026'],
    ['EREF', `/TRTP/${'X'.repeat(48)}/EREF/TOP/2026/`, 'TOP/2026'],
    ['EREF', `/TRTP/${'X'.repeat(373)}/EREF/2026/`, ''],
    ['EREF', '/EREF/MT 8/', ''],
    ['EREF', '', ''],
  ])('behind %s in %j are %j', (marker, text, reference) => {
    expect(lineOf(`${marker}//B-1`, text)?.reference).toBe(reference)
  })
})

test('a reversal (RC) takes back the payment that it names', () => {
  const entries = [
    ':61:2611201120C100,00NTRFDEP-1//ATL-1',
    ':61:2611201120C100,00NTRFDEP-2//ATL-2',
    ':61:2611201120RC100,00NTRFDEP-2//ATL-9',
  ]
  const { lines, summary } = wholeOf(mt940(entries.join('\n'), '1100,00'))
  expect(lines.map(({ returned }) => returned)).toEqual(['', 'The money went back: reversed at line 7 of this file.'])
  expect(summary.counts).toEqual({ reversal: 1 })
})

test('reads no reference where the type is missing', () => {
  const entries = ':61:2611201120C100,00NONREF\n:61:2611201120D100,00NONREF'
  const { lines } = wholeOf(mt940(entries, '1000,00'))
  expect(lines).toMatchObject([{ reference: '', returned: '' }])
})

test('a value date of 30 February is the last day', () => {
  const dated = (dates: string) => mt940(`:61:${dates}C100,00NTRFX`, '1100,00')
  expect(linesOf(dated('2602300301'))).toMatchObject([{ bookedOn: '2026-03-01', valueDate: '2026-02-28' }])
  expect(faultsOf(dated('260230'))).toEqual([expect.stringMatching(/does not exist/)])
})

test('a text cut in two is neither reference', () => {
  const line = lineOf('Danske Banksyste//m A/', 'Danske Banksystem A/')
  expect(line).toMatchObject({ reference: '', bankReference: '' })
})
