import { expect, test } from 'vitest'
import { segmentId, segmentText } from './page-reads.tsx'

test('a segment is read as the text that it stands for', () => {
  expect(segmentText('DEP%7E1%20%2F%25')).toBe('DEP~1 /%')
})

test('reads an id without its invisible characters, and a reference with them', () => {
  expect(segmentId('%E2%80%8E3f2b%C2%AD-5d04')).toBe('3f2b-5d04')
  expect(segmentText('DEP%E2%80%8B')).toBe('DEP\u200B')
})

test.each(['%', '%E0%A4%A', 'a%zz', '%ff'])('escapes that are no text lead to the page that says so: %s', (segment) => {
  expect(() => segmentText(segment)).toThrow(expect.objectContaining({ digest: 'NEXT_HTTP_ERROR_FALLBACK;404' }))
})
