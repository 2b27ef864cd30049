import { expect, test } from 'vitest'
import { reasonWords, requestIdIn } from './sign-in-reasons.ts'

test('shows no words for names that every object has', () => {
  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty', '', null]) {
    expect(reasonWords(name, null)).toBeNull()
  }
})

test('says whether trying again helps', () => {
  expect(reasonWords('sso-unreachable', null)).toContain('Try again in a moment.')
  expect(reasonWords('sso-unfinished', null)).toContain('Try again;')
  for (const why of ['sso-failed', 'not-staff', 'forbidden']) {
    expect(reasonWords(why, null)).toMatch(/Trying again does not help\. .*your administrator/)
  }
})

test('says what to do where the provider left groups out', () => {
  expect(reasonWords('groups-left-out', null)).toContain('app roles')
})

test('says in how many seconds to try again, or leaves it open', () => {
  expect(reasonWords('wait', '40')).toContain('Try again in 40 s.')
  expect(reasonWords('busy', '5')).toMatch(/^Too many people .* Try again in 5 s\.$/)
  for (const seconds of ['', '0', '-1', '99999', 'soon', null]) {
    expect(reasonWords('wait', seconds)).toContain('Try again in a moment.')
  }
})

test('shows nothing but a UUID as the id of a request', () => {
  const id = crypto.randomUUID()
  expect(requestIdIn(id)).toBe(id)
  for (const text of [null, '', 'call 555-0100', `${id} `, `${id}\n`, id.toUpperCase()])
    expect(requestIdIn(text)).toBeNull()
})
