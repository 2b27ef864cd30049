import { describe, expect, test } from 'vitest'
import { parseStatement } from './parse.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

const linesOf = (text: string) => {
  const parsed = parseStatement(bytes(text), null)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults))
  return parsed.lines
}

const mt940 = (lines: string): string =>
  `:20:STMT\n:25:BANK/123\n:28C:1/1\n:60F:C261119BZD1000,00\n${lines}\n:62F:C261120BZD`

describe('MT940', () => {
  test('gives credits with their reference, the bank’s and the text', () => {
    const text = `${mt940(':61:2611201120C250,5NTRFDEP-1//ATL-1\n:86:Top-up\nsecond line')}1250,50`
    expect(linesOf(text)).toEqual([
      {
        place: 5,
        reference: 'DEP-1',
        amount: '250.5',
        currency: 'BZD',
        bankReference: 'ATL-1',
        bookedOn: '2026-11-20',
        text: 'Top-up second line',
      },
    ])
  })

  test('the text belongs to the entry before it, over several lines and in numbered parts', () => {
    const entries = [
      ':61:2611201120C250,50NTRFNONREF//ATL-1',
      '/supplementary details',
      ':86:166?00CREDIT?20SVWZ+DEP~90/ad',
      '?21 7%2B thanks?32ANA PAYER',
      ':61:2611201120C100,00NTRFX',
      ':61:2611201120D50,00NTRFNONREF',
      ':86:of the debit',
    ]
    const text = `${mt940(entries.join('\n'))}1300,50\n:86:of the whole statement`
    expect(linesOf(text.replaceAll('\n', '\r\n')).map((line) => line.text)).toEqual([
      'CREDIT SVWZ+DEP~90/ad 7%2B thanks ANA PAYER',
      '',
    ])
  })

  test('leaves out debits, and knows when there is no reference', () => {
    const text = `${mt940(':61:2611201120C250,50NTRFNONREF\n:86:a\n:61:2611201120D50,50NTRFX//Y')}1200,00`
    expect(parseStatement(bytes(text), null)).toMatchObject({
      ok: true,
      leftOut: 1,
      lines: [{ place: 5, reference: '' }],
    })
  })

  test('refuses what is broken whole', () => {
    expect(parseStatement(bytes(':20:STMT\n:25:A\n'), null)).toMatchObject({
      faults: [{ what: expect.stringMatching(/cannot be read as MT940/) }],
    })
  })
})
