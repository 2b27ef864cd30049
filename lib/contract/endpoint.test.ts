import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { card, cardFacts } from './cards.ts'
import { addressOf, fillPath, orNull, timestamp } from './endpoint.ts'
import { endpoints } from './endpoints.ts'
import { isSegment } from './json.ts'

test('names the endpoints that need a code', () => {
  const rows = Object.values(endpoints).flatMap((group) => Object.values(group))
  expect(
    rows.flatMap(({ method, path, stepUp }) => (stepUp === 'never' ? [] : [`${method} ${path} ${stepUp}`])),
  ).toEqual([
    'POST /api/v1/Transaction/p2p always',
    'POST /api/v1/Transaction/withdraw always',
    'POST /api/v1/Transaction/dispute/resolve always',
    'POST /api/v1/cards/{cardId}/unfreeze always',
    'PUT /api/v1/cards/{cardId}/limits when-loosening',
    'POST /api/v1/Dispute/{caseId}/resolve always',
  ])
})

test.each(['4111111111111111', '1111'])('takes four digits at most from a last4 of %s', (last4) => {
  expect([card, cardFacts].map(({ shape }) => shape.last4.parse(last4))).toEqual(['1111', '1111'])
})

const TEMPLATE = '/api/v1/Transaction/{referenceId}'

test.each([
  ['DEP~1', '/api/v1/Transaction/DEP~1'],
  ['a/b', '/api/v1/Transaction/a%2Fb'],
  ['a b', '/api/v1/Transaction/a%20b'],
  ['?x=1#y', '/api/v1/Transaction/%3Fx%3D1%23y'],
  ['%2F', '/api/v1/Transaction/%252F'],
  ['...', '/api/v1/Transaction/...'],
  ['a..b', '/api/v1/Transaction/a..b'],
  ['..a/b..', '/api/v1/Transaction/..a%2Fb..'],
  ['100%', '/api/v1/Transaction/100%25'],
])('%j is one segment', (value, path) => {
  expect(fillPath(TEMPLATE, { referenceId: value })).toBe(path)
})

const STEPS = [
  ...['.', '..', '%2e', '%2E%2e', '.%2e', '%2e.', '%252e%252e', '%25252e.', '../x', 'x/..', 'x/../y', './x', 'x/.'],
  ...['..\\x', 'x%2f..', '..%5Cx', 'x%2F%2e%2E%2Fy', '..%252f', '/..', '../'],
]

test.each(['', 'a\0b', 'a\ud800b', ...STEPS])('%j is refused as a segment', (value) => {
  expect(isSegment(value)).toBe(false)
  expect(() => fillPath(TEMPLATE, { referenceId: value })).toThrow(TypeError)
  expect(addressOf('https://service.example/base', TEMPLATE, { referenceId: value })).toBeNull()
})

/** Texts that are rich in what has a meaning in paths. */
const nasty = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('.', '/', '\\', '%', '2', 'e', 'E', '5', 'c', 'f', '\t', '\n', ' ', '?', '#', 'a'),
  }),
)

test.each(['https://service.example', 'https://service.example/a/b'])(
  'makes any text one last segment below %s, or none',
  (base) => {
    fc.assert(
      fc.property(nasty, (value) => {
        const url = addressOf(base, TEMPLATE, { referenceId: value })
        if (url === null) return
        // Parsed once more, as every program on the way may do.
        const { origin, pathname, search, hash } = new URL(url.href)
        const before = new URL(base + TEMPLATE).pathname.split('/').slice(0, -1)
        expect([origin, search, hash]).toEqual(['https://service.example', '', ''])
        expect(pathname.split('/').slice(0, -1)).toEqual(before)
        expect(decodeURIComponent(pathname.split('/').at(-1) ?? '')).toBe(value)
      }),
      { numRuns: 2_000 },
    )
  },
)

test('what holds no step and no half character is taken', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (value) => {
      fc.pre(!/[.%\0]/.test(value))
      expect(isSegment(value)).toBe(true)
    }),
  )
})

test('a missing or empty parameter is a fault, not another path', () => {
  expect(() => fillPath(TEMPLATE, {})).toThrow(TypeError)
  expect(() => fillPath(TEMPLATE, { referenceId: '' })).toThrow(TypeError)
})

const schema = z.object({ at: orNull(timestamp) })

test.each([[{}], [{ at: null }], [{ at: undefined }]])(
  'a field that is null or left out reads as null: %j',
  (given) => {
    expect(schema.parse(given).at).toBeNull()
  },
)

test('one that is there reads as it is, or not at all', () => {
  expect(schema.parse({ at: '2026-11-20T10:00:00.0000000Z' }).at).toBe('2026-11-20T10:00:00.0000000Z')
  expect(schema.safeParse({ at: 'soon' }).success).toBe(false)
})

test.each(['2026-13-01T00:00:00.0000000Z', '2026-11-20T10:61:00Z', '2026-12-31T23:59:60Z', '2026-02-30T00:00:00Z'])(
  'a time that no clock shows is not read: %s',
  (at) => {
    expect(schema.safeParse({ at }).success).toBe(false)
  },
)
