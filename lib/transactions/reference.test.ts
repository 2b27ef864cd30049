import { describe, expect, test } from 'vitest'
import { problemOf } from '#lib/contract/problem-of.ts'
import { isUnknownReference, referenceFault } from './transaction.ts'

describe('a reference as typed', () => {
  test.each(['DEP~1', 'with space', 'a/b', 'ü?#', 'x'.repeat(512)])('%j can be looked up', (reference) => {
    expect(referenceFault(reference)).toBeNull()
  })
  test('an empty one and one of 5,000 characters cannot', () => {
    expect(referenceFault('  ')).toContain('Enter the reference')
    expect(referenceFault('x'.repeat(5000))).toContain('5,000 characters')
  })
  test.each(['.', '..', '%2e%2E', 'a/../b'])('%j stands for a place and cannot', (reference) => {
    expect(referenceFault(reference)).toContain('are not references')
  })
  test.each(['DEP\0', 'DEP\ud800'])('%j holds what cannot be sent', (reference) => {
    expect(referenceFault(reference)).toContain('cannot be sent')
  })
})

test('a failed read does not mean an unknown reference', () => {
  const statuses = [400, 401, 403, 404, 405, 409, 423, 429, 500, 502, 503]
  const unknown = statuses.filter((status) => isUnknownReference(problemOf('service', { status })))
  expect(unknown).toEqual([400, 404, 405])
  const kinds = ['unreachable', 'unreadable', 'session-over', 'sign-on-out', 'console'] as const
  expect(kinds.filter((kind) => isUnknownReference(problemOf(kind, { status: 404 })))).toEqual([])
})
