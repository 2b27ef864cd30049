import { expect, test } from 'vitest'
import { segmentText } from './path-segment.ts'

test('a segment is read as the text that it stands for', () => {
  expect(segmentText('DEP%7E1%20%2F%25')).toBe('DEP~1 /%')
})

test.each(['%', '%E0%A4%A', 'a%zz', '%ff'])('escapes that are no text lead to the page that says so: %s', (segment) => {
  expect(() => segmentText(segment)).toThrow(expect.objectContaining({ digest: 'NEXT_HTTP_ERROR_FALLBACK;404' }))
})
