import { expect, test } from 'vitest'
import { whyWords } from './why-words.ts'

test('names that every object has are no reasons, and break nothing', () => {
  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty', '']) {
    expect(whyWords(name, undefined)).toBeNull()
    expect(whyWords(undefined, name)).toBe('Sign-in did not finish. Try again.')
  }
})

test('a reason has words of its own; no reason has none', () => {
  expect(whyWords('not-staff', undefined)).toContain('This console is for staff')
  expect(whyWords('unchecked', undefined)).toContain('could not be checked')
  expect(whyWords(undefined, 'OAuthSignin')).toContain('Single sign-on cannot be reached')
  expect(whyWords(undefined, undefined)).toBeNull()
})
