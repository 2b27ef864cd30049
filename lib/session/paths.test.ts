import { expect, test } from 'vitest'
import { safeReturnPath, signInPath } from './paths.ts'

test.each([
  ['/deposits?reference=a%2Fb', '/deposits?reference=a%2Fb'],
  ['/transactions/DEP~1', '/transactions/DEP~1'],
  [undefined, '/'],
  ['', '/'],
  ['deposits', '/'],
  ['https://evil.example/', '/'],
  ['//evil.example/', '/'],
  ['/\\evil.example', '/'],
  ['/\t/evil.example', '/'],
  ['javascript:alert(1)', '/'],
  [`/${'x'.repeat(5000)}`, '/'],
])('%j leads to %s', (to, path) => {
  expect(safeReturnPath(to)).toBe(path)
})

test('the reason and the way back are in the address, and nothing else', () => {
  expect(signInPath('ended', '/deposits?a=1')).toBe('/sign-in?why=ended&to=%2Fdeposits%3Fa%3D1')
  expect(signInPath(null, '//evil')).toBe('/sign-in')
})
