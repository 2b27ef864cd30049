import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readStatement, writeStatement } from './confirm-deposit.tsx'

test('what was typed comes back as it was', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string(), (bankReference, statementAmount) => {
      expect(readStatement(writeStatement({ bankReference, statementAmount }))).toEqual({
        bankReference,
        statementAmount,
      })
    }),
  )
})

test('nothing typed is nothing to keep', () => {
  expect(writeStatement({ bankReference: '', statementAmount: '' })).toBe('')
})

test.each(['', 'ATL-1', '{}', 'null', '[1,2]', '[', '["only one"]'])('%j is read without a fault', (text) => {
  expect(Object.values(readStatement(text)).every((it) => typeof it === 'string')).toBe(true)
})
