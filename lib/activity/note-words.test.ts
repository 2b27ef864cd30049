import { expect, test } from 'vitest'
import { noteWords } from './entry-words.ts'

test.each([
  ['answer', 'answer', 'Source service response'],
  ['answer', 'read', 'Source read from the service'],
  ['answer', 'lost', 'Source no usable answer came'],
  ['answer', 'none: recorded in this console only', 'Source none: recorded in this console only'],
  ['again', 'true', 'Sent again with a verified code'],
  ['assertion', 'Work laptop', 'Confirmed with the passkey Work laptop'],
  ['denial', 'passkey-missing', 'Stopped not confirmed with a passkey'],
  ['status', '200', 'HTTP status 200'],
  ['says', 'contradicts', 'Service answer contradicts the change'],
  ['newer', 'constructor', 'newer constructor'],
  ['constructor', 'toString', 'constructor toString'],
])('shows a journal note as a sentence: %s %s', (name, value, words) => {
  expect(noteWords(name, value).join(' ')).toBe(words)
})
