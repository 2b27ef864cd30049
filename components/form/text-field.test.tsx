import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { TextField } from './text-field.tsx'

const wordsOf = (markup: string) =>
  markup
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

test.each([
  [true, 'DEP\u200B~1\u00AD', 'Reference Ignored 2 invisible characters: U+200B, U+00AD.'],
  [true, 'DEP~1', 'Reference'],
  [false, 'DEP\u200B~1', 'Reference'],
])('names what it ignores: %s %j', (isReference, initial, words) => {
  expect(
    wordsOf(renderToStaticMarkup(<TextField label="Reference" initial={initial} isReference={isReference} />)),
  ).toBe(words)
})
