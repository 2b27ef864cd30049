import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { causeOfOAuthError, oauthError, signInCauses } from './failure.ts'

test('explains every cause in docs/operations.md', () => {
  const document = readFileSync('docs/operations.md', 'utf8')
  expect(Object.keys(signInCauses).filter((cause) => !document.includes(`\n| \`${cause}\` | `))).toEqual([])
})

test('names no OAuth error that a specification does not name', () => {
  expect(oauthError('invalid_grant')).toBe('invalid_grant')
  for (const text of ['constructor', 'Invalid_Grant', 'invalid_grant ', 'person@example.com', '']) {
    expect(oauthError(text)).toBe('other')
  }
  for (const value of [undefined, null, 1, ['invalid_grant']]) expect(oauthError(value)).toBeUndefined()
  expect(causeOfOAuthError('other', undefined)).toBeNull()
})
