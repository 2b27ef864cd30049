import { expect, test } from 'vitest'
import { sameAccount, userIdFault } from './ids.ts'

test.each([
  ['00000000-0000-4000-8000-000000000011', null],
  ['3F2B8C1E-5D04-4B7A-9E61-0C8D2F7A4E15', null],
  ['', 'Enter a user id.'],
  ['  ', 'Enter a user id.'],
  ['ana@example.com', 'not by e-mail address'],
  ['00000000-0000-4000-8000-00000000001', 'Not a user id'],
  ['00000000-0000-4000-8000-0000000000111', 'Not a user id'],
  ['00000000-0000-4000-8000-00000000001g', 'Not a user id'],
  ['{00000000-0000-4000-8000-000000000011}', 'Not a user id'],
  ['DEP~4b0e91c2-77aa.20261118', 'Not a user id'],
  ['..', 'Not a user id'],
])('a user id typed as %j', (typed, fault) => {
  if (fault === null) expect(userIdFault(typed)).toBeNull()
  else expect(userIdFault(typed)).toContain(fault)
})

test('an id is the same account in either case', () => {
  expect(sameAccount('3F2B8C1E-5D04-4B7A-9E61-0C8D2F7A4E15', '3f2b8c1e-5d04-4b7a-9e61-0c8d2f7a4e15')).toBe(true)
  expect(sameAccount('00000000-0000-4000-8000-000000000011', '00000000-0000-4000-8000-000000000012')).toBe(false)
})
