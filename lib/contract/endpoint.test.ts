import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fillPath } from './endpoint.ts'

const TEMPLATE = '/api/v1/Transaction/{referenceId}'

test.each([
  ['DEP~1', '/api/v1/Transaction/DEP~1'],
  ['a/b', '/api/v1/Transaction/a%2Fb'],
  ['a b', '/api/v1/Transaction/a%20b'],
  ['?x=1#y', '/api/v1/Transaction/%3Fx%3D1%23y'],
  ['%2F', '/api/v1/Transaction/%252F'],
  ['..', '/api/v1/Transaction/%2E%2E'],
  ['.', '/api/v1/Transaction/%2E'],
])('%j is one segment', (value, path) => {
  expect(fillPath(TEMPLATE, { referenceId: value })).toBe(path)
})

test('whatever a reference is made of, it stays one segment below the path and comes back as it went', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (value) => {
      fc.pre(value !== '.' && value !== '..')
      const { pathname } = new URL(`http://service.invalid${fillPath(TEMPLATE, { referenceId: value })}`)
      const segments = pathname.split('/')
      expect(segments).toHaveLength(5)
      expect(decodeURIComponent(segments[4] ?? '')).toBe(value)
    }),
  )
})

test('a missing or empty parameter is a fault, not another path', () => {
  expect(() => fillPath(TEMPLATE, {})).toThrow(TypeError)
  expect(() => fillPath(TEMPLATE, { referenceId: '' })).toThrow(TypeError)
})
