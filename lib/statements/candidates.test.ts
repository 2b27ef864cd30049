import fc from 'fast-check'
import { expect, test } from 'vitest'
import { candidatesOf, LOOK_UPS_PER_LINE, withoutSpaces } from './suggestions.ts'

const of = (line: Partial<Parameters<typeof candidatesOf>[0]>): string[] =>
  candidatesOf({ sought: '', reference: '', text: '', ...line }).map(({ reference }) => reference)

test.each([
  ['a word', 'deposit DEP~1-a.2 thanks', 'DEP~1-a.2'],
  ['with marks around it', 'thanks (DEP~1-a.2).', 'DEP~1-a.2'],
  ['after a label', 'Ref:DEP~1-a.2', 'DEP~1-a.2'],
  ['after a label of SEPA', 'SVWZ+DEP~1-a.2 EREF+X1234', 'DEP~1-a.2'],
  ['written with spaces', 'deposit DEP~1 -a. 2', 'DEP~1-a.2'],
  ['with a space of its own', 'deposit DEP~90/ad 7%2B+ü?# thanks', 'DEP~90/ad 7%2B+ü?#'],
  ['in another case', 'deposit dep~1-a.2', 'DEP~1-A.2'],
  ['between commas', 'Top-up,DEP~1-a.2,thanks', 'DEP~1-a.2'],
  ['after codes between slashes', '/TRCD/00100/REMI/USTD//DEP~1-a.2/', 'DEP~1-a.2'],
  ['after one code between slashes', '/EREF/DEP~1-a.2//', 'DEP~1-a.2'],
  ['over two parts of a structured text', 'CREDIT SVWZ+DEP~1 -a.2 ANA PAYER', 'DEP~1-a.2'],
  ['over several lines', 'deposit DEP~1\n-a.2', 'DEP~1-a.2'],
])('a reference in a text is a candidate: %s', (_what, text, reference) => {
  expect(of({ text })).toContain(reference)
})

test.each([
  '/TRCD/00100/CNTP/BZ12ATLB0001/ATLBBZBZ/Anna Payer///REMI/USTD//Top-up DEP~8819 0360-e0e9.20261126, thanks/',
  'CREDIT EREF+N1234 SVWZ+Top-up DEP~8819 0360-e0e9.20261126, thanks 12345 678 IBAN+BZ12ATLB0001',
])('of %j the reference is among the first candidates', (text) => {
  expect(of({ text }).slice(0, LOOK_UPS_PER_LINE)).toContain('DEP~88190360-e0e9.20261126')
})

test('the reference field written in another way goes before every text, and says where it stands', () => {
  const candidates = candidatesOf({ sought: 'dep 12 34', reference: 'dep 12 34', text: 'thanks AB-9876' })
  expect(candidates[0]).toEqual({ reference: 'dep1234', foundIn: 'field' })
  expect(candidates).toContainEqual({ reference: 'DEP1234', foundIn: 'field' })
  expect(candidates).toContainEqual({ reference: 'AB-9876', foundIn: 'text' })
})

test('offers references without their invisible characters', () => {
  const line = { sought: 'DEP\u200B-1234', reference: 'DEP\u200B-1234', text: 'thanks AB\u00AD-9876' }
  expect(candidatesOf(line)[0]).toEqual({ reference: 'DEP-1234', foundIn: 'field' })
  expect(candidatesOf(line)).toContainEqual({ reference: 'AB-9876', foundIn: 'text' })
})

test('whatever a payer writes makes few candidates, none twice, and never what the line names already', () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ maxLength: 2_000 }), (reference, text) => {
      const made = of({ sought: reference, reference, text })
      expect(made.length).toBeLessThanOrEqual(400)
      expect(new Set(made).size).toBe(made.length)
      expect(made).not.toContain(reference)
    }),
  )
})

test('spaces and case tell no two references apart', () => {
  expect(withoutSpaces('Dep 12\u00a034-A')).toBe(withoutSpaces('DEP1234-a'))
  expect(withoutSpaces('DEP-1')).not.toBe(withoutSpaces('DEP1'))
})
