import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openSession } from '#lib/session/vault/vault.ts'
import { store } from '#lib/store/store.ts'
import { configureForTest, freshConsole } from '#lib/testing/test-console.ts'
import { signInForTest } from '#lib/testing/test-sessions.ts'
import { hasAdminClaim, hasStaffClaim, holdsStaffScope, signedInAsAsked } from './admission.ts'

const OPERATORS = 'console-operators'

beforeEach(async () => {
  await freshConsole()
})
afterEach(() => void configureForTest())

describe('a claim tells staff', () => {
  test.each([
    ['a text that is allowed', OPERATORS, true],
    ['the other one', 'console-viewers', true],
    ['a list with one that is allowed', ['wallet-users', OPERATORS], true],
    ['another text', 'wallet-users', false],
    ['a text that contains one', `${OPERATORS},x`, false],
    ['other letters', 'Console-Operators', false],
    ['an empty list', [], false],
    ['a list of others', ['wallet-users'], false],
    ['a list that is no list of texts', [OPERATORS, 1], false],
    ['a list in a list', [[OPERATORS]], false],
    ['an object', { [OPERATORS]: true }, false],
    ['true', true, false],
    ['null', null, false],
    ['nothing', undefined, false],
  ])('%s', (_what, groups, staff) => {
    expect(hasStaffClaim({ sub: '1', groups })).toBe(staff)
  })

  test('a missing claim tells nothing, nor one that every object has', () => {
    expect(hasStaffClaim({ sub: '1' })).toBe(false)
    configureForTest({ STAFF_CLAIM: 'constructor=x' })
    expect(hasStaffClaim({ sub: '1' })).toBe(false)
  })

  test('without a configured claim none tells staff', () => {
    configureForTest({ STAFF_CLAIM: '' })
    expect(hasStaffClaim({ sub: '1', groups: OPERATORS })).toBe(false)
  })
})

test.each([
  [['core:transactions:confirm'], true],
  [['core:transactions:read', 'core:disputes:resolve'], true],
  [['core:transactions:read', 'core:transactions:create', 'core:cards:read', 'core:disputes:message'], false],
  [['transactions:confirm'], false],
  [[], false],
])('scopes %j', (scopes, staff) => {
  expect(holdsStaffScope(new Set(scopes))).toBe(staff)
})

describe('a session that was admitted by a rule that no longer holds is over', () => {
  const opens = async (handle: string) => (await openSession(handle)) !== null

  test.each([
    ['another value', { STAFF_CLAIM: 'groups=console-operators' }],
    ['no claim', { STAFF_CLAIM: '' }],
  ])('the claim, after %s', async (_what, change) => {
    const handle = await signInForTest({ admittedBy: 'claim' })
    expect(await opens(handle)).toBe(true)
    configureForTest(change)
    expect(await opens(handle)).toBe(false)
    expect(await (await store()).selectFrom('session').selectAll().execute()).toEqual([])
  })

  test('scopes, once a claim decides; not with a password, where they always do', async () => {
    configureForTest({ STAFF_CLAIM: '' })
    const [sso, password] = [
      await signInForTest({ admittedBy: 'scopes' }),
      await signInForTest({ admittedBy: 'scopes', method: 'password', actor: 'password:me' }),
    ]
    expect([await opens(sso), await opens(password)]).toEqual([true, true])
    configureForTest()
    expect([await opens(sso), await opens(password)]).toEqual([false, true])
  })
})

describe('how people have to sign in', () => {
  test('left to the provider, anything will do', () => {
    for (const claims of [{}, { acr: '0' }, { amr: ['pwd'] }])
      expect(signedInAsAsked({ sub: '1', ...claims })).toBe(true)
  })

  test.each([
    [{ acr: 'urn:b' }, true],
    [{ acr: 'urn:c' }, false],
    [{ acr: 'urn:a urn:b' }, false],
    [{ acr: ['urn:a'] }, false],
    [{ acr: '' }, false],
    [{}, false],
  ])('OIDC_ACR_VALUES and %j', (claims, right) => {
    configureForTest({ OIDC_ACR_VALUES: ' urn:a  urn:b ' })
    expect(signedInAsAsked({ sub: '1', ...claims })).toBe(right)
  })

  test.each([
    [{ amr: ['pwd', 'otp'] }, true],
    [{ amr: 'hwk' }, true],
    [{ amr: ['pwd'] }, false],
    [{ amr: [] }, false],
    [{ amr: { otp: true } }, false],
    [{}, false],
  ])('OIDC_AMR_VALUES and %j', (claims, right) => {
    configureForTest({ OIDC_AMR_VALUES: 'otp hwk' })
    expect(signedInAsAsked({ sub: '1', ...claims })).toBe(right)
  })

  test('what is asked for later ends the sessions that began without it', async () => {
    const handles = [await signInForTest(), await signInForTest({ method: 'password', admittedBy: 'scopes' })]
    configureForTest({ OIDC_ACR_VALUES: 'urn:a' })
    for (const handle of handles) expect(await openSession(handle)).toBeNull()
  })
})

test('only the claim that is configured for it makes an administrator', () => {
  const claims = { sub: '1', groups: ['console-operators', 'console-admins'] }
  expect(hasAdminClaim(claims)).toBe(false)
  configureForTest({ STAFF_ADMIN_CLAIM: 'groups=console-admins' })
  expect(hasAdminClaim(claims)).toBe(true)
  expect(hasAdminClaim({ sub: '1', groups: 'console-operators' })).toBe(false)
})
