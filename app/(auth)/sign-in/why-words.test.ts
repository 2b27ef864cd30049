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

test('when to try again is a number of seconds, or not told', () => {
  expect(whyWords('wait', undefined, '40')).toContain('Try again in 40 s.')
  expect(whyWords('busy', undefined, '5')).toMatch(/^Too many people .* Try again in 5 s\.$/)
  for (const seconds of ['', '0', '-1', '99999', 'soon', undefined]) {
    expect(whyWords('wait', undefined, seconds)).toContain('Try again in a moment.')
  }
})
