import fc from 'fast-check'
import { expect, test } from 'vitest'
import { JsonNumber, parseJson } from './json.ts'

test('numbers keep their literal through parsing and writing', () => {
  const text = '{"amount":250.00,"big":999999999999999999999.12345678,"list":[1,-0.1,1e3],"text":"250.00","none":null}'
  expect(JSON.stringify(parseJson(text))).toBe(text)
})

test('any JSON document comes back as it was written', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const compact = JSON.stringify(JSON.parse(text))
      expect(JSON.stringify(parseJson(compact))).toBe(compact)
    }),
  )
})

test.each(['', '01', '1.', '.5', 'NaN', '1,0', ' 1', '1\n', '0x1', '1_0'])('%j is no JSON number', (source) => {
  expect(() => new JsonNumber(source)).toThrow(SyntaxError)
})

test('malformed text throws a SyntaxError', () => {
  expect(() => parseJson('{"a":')).toThrow(SyntaxError)
})
