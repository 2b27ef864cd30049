import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvLine } from './csv.ts'
import { Money } from './money.ts'

test.each([
  ['=1+1', "'=1+1"],
  ['+501600', "'+501600"],
  ['-2', "'-2"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', '"\'\t\'=1"'],
  ['\r=1', '"\'\r\'=1"'],
  ['\tplain', '"\'\tplain"'],
  [' =1', "' =1"],
  ['＝1+1', "'＝1+1"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['＠A1', "'＠A1"],
  ['\u202E=1', "'\u202E=1"],
  ['\uFEFF=cmd', "'\uFEFF=cmd"],
  [' spaced', '" spaced"'],
  ['=HYPERLINK("http://a","b")', '"\'=HYPERLINK(""http://a"",""b"")"'],
  ['a=b', 'a=b'],
  ['say "hi", then go', '"say ""hi"", then go"'],
  ['two\r\nlines', '"two\r\nlines"'],
  ['one;two', '"one;two"'],
  ["x;=cmd|' /C calc'!A0;y", `"x;'=cmd|' /C calc'!A0;y"`],
  ['x\t@SUM(A1)', '"x\t\'@SUM(A1)"'],
  ['x\n-1+1', '"x\n\'-1+1"'],
  ['x\r\n＋1', '"x\r\n\'＋1"'],
  ['x; \u200B=1', '"x;\' \u200B=1"'],
  ['x;\t=1', '"x;\t\'=1"'],
  ['x;"=1"', '"x;\'""=1"""'],
  ['=1;=2', '"\'=1;\'=2"'],
  ['a;b=c', '"a;b=c"'],
  ['', ''],
  ['Ünïcode 支付 ריק', 'Ünïcode 支付 ריק'],
])('the text %j stands in a file as %j', (text, cell) => {
  expect(csvLine([text])).toBe(`${cell}\r\n`)
})

test('an amount is a number, below zero too, with every place', () => {
  const amounts = ['-0.5', '1234567.00000001'].map((text) => Money.fromWire(text))
  expect(csvLine(amounts.filter((money) => money !== null))).toBe('-0.50000000,1234567.00000001\r\n')
})

/** What a program that follows RFC 4180 reads. */
function readCsv(text: string): string[][] {
  const lines: string[][] = [[]]
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y
  while (cell.lastIndex < text.length) {
    const match = cell.exec(text)
    if (match === null) throw new Error('not RFC 4180')
    lines.at(-1)?.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '')
    if (match[3] === '\r\n') lines.push([])
  }
  return lines.slice(0, -1)
}

const texts = fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[=+\-@\t\r\n",;＝ ']*$/)), {
  minLength: 1,
})

/** Only apostrophes were added, each at the start or after a separator. */
function isDefused(text: string, given: string): boolean {
  let at = 0
  let before = ''
  for (const character of text) {
    if (given.startsWith(character, at)) at += character.length
    else if (character !== "'" || !['', ';', '\t', '\r', '\n'].includes(before)) return false
    before = character
  }
  return at === given.length
}

test('whatever the text, it is read back whole, and never as a formula', () => {
  fc.assert(
    fc.property(fc.array(texts), (lines) => {
      const read = readCsv(lines.map(csvLine).join(''))
      expect(read.map((line) => line.length)).toEqual(lines.map((line) => line.length))
      for (const [at, line] of read.entries()) {
        for (const [cell, text] of line.entries()) {
          const given = lines[at]?.[cell] ?? ''
          expect(isDefused(text, given), JSON.stringify([given, text])).toBe(true)
          expect(text).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/)
        }
      }
    }),
  )
})

test('no formula starts after a semicolon, tab or line break', () => {
  fc.assert(
    fc.property(fc.array(texts), (lines) => {
      const file = lines.map((line) => csvLine(['first', ...line])).join('')
      expect(file).not.toMatch(/[;\t\r\n][\s"\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]/u)
    }),
  )
})
