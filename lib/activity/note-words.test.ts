import { expect, test } from 'vitest'
import { noteWords } from './entry-words.ts'

test.each([
  ['answer', 'answer', 'How it is known the service answered'],
  ['answer', 'read', 'How it is known read from the service'],
  ['answer', 'lost', 'How it is known no usable answer came'],
  ['answer', 'none: the console’s own record', 'How it is known none: the console’s own record'],
  ['again', 'true', 'Sent again with a verified code'],
  ['assertion', 'Work laptop', 'Confirmed with the passkey Work laptop'],
  ['denial', 'passkey-missing', 'Stopped its author was not there with a passkey'],
  ['status', '200', 'HTTP status 200'],
  ['says', 'contradicts', 'Its answer contradicts the change'],
  ['newer', 'constructor', 'newer constructor'],
  ['constructor', 'toString', 'constructor toString'],
])('shows a journal note as a sentence: %s %s', (name, value, words) => {
  expect(noteWords(name, value).join(' ')).toBe(words)
})
