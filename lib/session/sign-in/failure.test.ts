import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { configureForTest } from '#lib/testing/test-console.ts'
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

test.each([
  ['invalid_scope', 'The scope offline_access is not allowed', 'offline-access'],
  ['other', 'Offline tokens not allowed for the user or client', 'offline-access'],
  ['unauthorized_client', 'offline access needs the refresh token grant', 'offline-access'],
  ['access_denied', 'The user denied offline_access', 'provider-denied'],
  ['invalid_scope', 'The client is offline', 'scope'],
  ['invalid_scope', undefined, 'scope'],
  ['invalid_scope', { offline_access: true }, 'scope'],
  ['other', 'offline', null],
] as const)('reads %s with %j as %s', (error, description, cause) => {
  configureForTest()
  expect(causeOfOAuthError(error, description)).toBe(cause)
})
