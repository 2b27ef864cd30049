import fc from 'fast-check'
import { expect, test } from 'vitest'
import { landedAt, landing, safeReturnPath, signInPath } from './paths.ts'

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
  ['/.//evil', '/'],
  ['/a/..//evil', '/'],
  ['/%2e//evil', '/'],
  ['/a/%2E%2e//evil', '/'],
  ['/./\t/evil', '/'],
  ['/.//evil.example/..', '/'],
  ['/a//b', '/a//b'],
  ['/a/../b', '/b'],
])('%j leads to %s', (to, path) => {
  expect(safeReturnPath(to)).toBe(path)
})

test('the reason and the way back are in the address, and nothing else', () => {
  expect(signInPath('ended', '/deposits?a=1')).toBe('/sign-in?why=ended&to=%2Fdeposits%3Fa%3D1')
  expect(signInPath(null, '//evil')).toBe('/sign-in')
})

test.each([
  ['/deposits?a=1', '/deposits?a=1'],
  ['//evil.example', '/'],
  ['https://evil.example/', '/'],
  ['', '/'],
])('a sign-in for %s lands on a page that leads to %s', (to, path) => {
  expect(landing(to)).toMatch(/^\/signed-in\?to=%2F/)
  expect(landedAt(landing(to))).toBe(path)
})

test.each([null, '', '/signed-in', '/signed-in?to=//evil.example', 'https://evil.example/?to=https://evil.example'])(
  'a form that asks to land at %s leads to the start',
  (address) => {
    expect(landedAt(address)).toBe('/')
  },
)

/** Texts that are rich in what has a meaning in addresses. */
const nasty = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('/', '.', '\\', '%2e', '%2F', '%', '?', '#', '@', ':', '\t', '\n', ' ', 'a', 'evil'),
  }),
)

test('keeps a browser at this console for any text', () => {
  fc.assert(
    fc.property(nasty, fc.constantFrom('', '/', '/.', '/a/..', '/%2e', '//'), (text, start) => {
      const path = safeReturnPath(start + text)
      const here = 'https://console.example'
      const first = new URL(path, `${here}/some/page?a=1`)
      const again = new URL(first.pathname + first.search, here)
      for (const url of [first, again]) {
        expect(url.origin).toBe(here)
        expect(url.pathname).not.toMatch(/^\/\//)
      }
      expect(again.href).toBe(first.href)
      expect(new URL(signInPath(null, start + text), here).pathname).toBe('/sign-in')
    }),
    { numRuns: 5_000 },
  )
})
