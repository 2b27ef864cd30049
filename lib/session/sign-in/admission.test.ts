import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openSession } from '#lib/session/vault/vault.ts'
import { store } from '#lib/store/store.ts'
import { configureForTest, freshConsole } from '#lib/testing/test-console.ts'
import { signInForTest } from '#lib/testing/test-sessions.ts'
import {
  admittingRule,
  admitWithSso,
  hasAdminClaim,
  holdsStaffScope,
  readStaffClaim,
  unmetSignInClass,
} from './admission.ts'

const OPERATORS = 'console-operators'

beforeEach(async () => {
  await freshConsole()
})
afterEach(() => void configureForTest())

describe('STAFF_CLAIM', () => {
  test.each<[string, unknown, string, number, number]>([
    ['a text that is allowed', OPERATORS, 'match', 1, 0],
    ['the other one', 'console-viewers', 'match', 1, 0],
    ['a list with one that is allowed', ['wallet-users', OPERATORS], 'match', 2, 0],
    ['a list with a number beside it', [OPERATORS, 1], 'match', 1, 1],
    ['a list with items of all types', [1, null, {}, OPERATORS, [OPERATORS]], 'match', 1, 4],
    ['another text', 'wallet-users', 'no-match', 1, 0],
    ['a text that contains one', `${OPERATORS},x`, 'no-match', 1, 0],
    ['other letters', 'Console-Operators', 'no-match', 1, 0],
    ['an empty list', [], 'no-match', 0, 0],
    ['a list of others', ['wallet-users', 7], 'no-match', 1, 1],
    ['a list in a list', [[OPERATORS]], 'not-text', 0, 1],
    ['numbers', [1, 2], 'not-text', 0, 2],
    ['an object', { [OPERATORS]: true }, 'not-text', 0, 1],
    ['true', true, 'not-text', 0, 1],
    ['null', null, 'absent', 0, 0],
    ['nothing', undefined, 'absent', 0, 0],
  ])('reads %s', (_what, groups, shape, values, ignored) => {
    expect(readStaffClaim({ sub: '1', groups })).toEqual({ shape, values, ignored })
  })

  test.each([
    { _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://graph.example/' } } },
    { hasgroups: true },
    { hasgroups: 'true' },
  ])('recognizes groups that the provider left out: %j', (claims) => {
    expect(readStaffClaim({ sub: '1', ...claims })?.shape).toBe('overage')
    configureForTest({ STAFF_CLAIM: 'roles=staff' })
    expect(readStaffClaim({ sub: '1', ...claims })?.shape).toBe('absent')
  })

  test('refuses groups that were left out with their own cause', async () => {
    const applicant = { userId: '1', accessToken: 'access' }
    const left = await admitWithSso({ _claim_names: { groups: 'src1' } }, applicant)
    expect(left).toMatchObject({ ok: false, cause: 'groups-left-out' })
  })

  test('decides nothing when it is not configured', () => {
    configureForTest({ STAFF_CLAIM: '' })
    expect(readStaffClaim({ sub: '1', groups: OPERATORS })).toBeNull()
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

  test('a password, once passwords are off', async () => {
    const handle = await signInForTest({ admittedBy: 'scopes', method: 'password', actor: 'password:me' })
    expect(await opens(handle)).toBe(true)
    configureForTest({ PASSWORD_SIGN_IN: 'off' })
    expect(await opens(handle)).toBe(false)
  })

  test.each([
    ['sub', 'oid'],
    ['oid', 'wallet_id'],
    ['oid', 'sub'],
  ])('any method, once the user id comes from another claim: %s', async (before, after) => {
    configureForTest({ OIDC_USER_ID_CLAIM: before })
    const password = { admittedBy: 'scopes', method: 'password', actor: 'password:me' } as const
    const handles = [await signInForTest(), await signInForTest(password)]
    for (const handle of handles) expect(await opens(handle)).toBe(true)
    configureForTest({ OIDC_USER_ID_CLAIM: after })
    for (const handle of handles) expect(await opens(handle)).toBe(false)
  })

  test('none, where an older version stored the rule without the claim', () => {
    expect(admittingRule('password', 'scopes')).toBe('scopes')
    expect(admittingRule('sso', 'claim groups=console-operators,console-viewers')).toBe('claim')
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
      expect(unmetSignInClass({ sub: '1', ...claims })).toBeNull()
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
    expect(unmetSignInClass({ sub: '1', ...claims })).toBe(right ? null : 'acr')
  })

  test.each([
    [{ amr: ['pwd', 'otp'] }, true],
    [{ amr: ['otp', 7] }, true],
    [{ amr: 'hwk' }, true],
    [{ amr: ['pwd'] }, false],
    [{ amr: [] }, false],
    [{ amr: { otp: true } }, false],
    [{}, false],
  ])('OIDC_AMR_VALUES and %j', (claims, right) => {
    configureForTest({ OIDC_AMR_VALUES: 'otp hwk' })
    expect(unmetSignInClass({ sub: '1', ...claims })).toBe(right ? null : 'amr')
  })

  test('what is asked for later ends the sessions that began without it', async () => {
    const handles = [await signInForTest(), await signInForTest({ method: 'password', admittedBy: 'scopes' })]
    configureForTest({ OIDC_ACR_VALUES: 'urn:a' })
    for (const handle of handles) expect(await openSession(handle)).toBeNull()
  })
})

test('a path to the roles of Keycloak admits and administers', () => {
  configureForTest({
    STAFF_CLAIM: 'realm_access.roles=staff',
    STAFF_ADMIN_CLAIM: 'resource_access.console.roles=admin',
  })
  const claims = { realm_access: { roles: ['staff'] }, resource_access: { console: { roles: ['admin'] } } }
  expect([readStaffClaim(claims)?.shape, hasAdminClaim(claims)]).toEqual(['match', true])
  expect(hasAdminClaim({ realm_access: { roles: ['admin'] } })).toBe(false)
})

test('only the claim that is configured for it makes an administrator', () => {
  const claims = { sub: '1', groups: ['console-operators', 'console-admins'] }
  expect(hasAdminClaim(claims)).toBe(false)
  configureForTest({ STAFF_ADMIN_CLAIM: 'groups=console-admins' })
  expect(hasAdminClaim(claims)).toBe(true)
  expect(hasAdminClaim({ sub: '1', groups: 'console-operators' })).toBe(false)
})
