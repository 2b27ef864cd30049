import { describe, expect, test } from 'vitest'
import { readClaim, readTextClaim } from './claim.ts'

const STAFF = 'staff'
const read = (claims: object, name: string, values: readonly string[] = [STAFF]) =>
  readClaim(claims as Readonly<Record<string, unknown>>, { name, values }).shape

/** As it arrives: `__proto__` is then a property like others. */
const parsed = (text: string): object => JSON.parse(text) as object

test.each<[string, object, string]>([
  ['a realm’s roles in Keycloak', { realm_access: { roles: ['x', STAFF] } }, 'realm_access.roles'],
  [
    'a client’s roles in Keycloak',
    { resource_access: { console: { roles: [STAFF] } } },
    'resource_access.console.roles',
  ],
  [
    'a client whose name has dots',
    { resource_access: { 'https://console.example': { roles: [STAFF] } } },
    'resource_access.https://console.example.roles',
  ],
  ['a name that is an address', { 'https://example.com/roles': [STAFF] }, 'https://example.com/roles'],
  ['a path below an address', { 'https://example.com/app': { roles: STAFF } }, 'https://example.com/app.roles'],
  ['a name with dots, as it is', { 'realm_access.roles': [STAFF] }, 'realm_access.roles'],
  ['a text', { roles: STAFF }, 'roles'],
  ['a text separated by spaces', { scope: `openid  ${STAFF} ` }, 'scope'],
])('finds %s', (_what, claims, name) => {
  expect(read(claims, name)).toBe('match')
})

test('tries the exact name first, whatever it holds', () => {
  const claims = { realm_access: { roles: [STAFF] } }
  expect(read({ ...claims, 'realm_access.roles': ['other'] }, 'realm_access.roles')).toBe('no-match')
  expect(read({ ...claims, 'realm_access.roles': null }, 'realm_access.roles')).toBe('absent')
  expect(read({ realm_access: { roles: ['other'] }, 'realm_access.roles': [STAFF] }, 'realm_access.roles')).toBe(
    'match',
  )
})

test('grants nothing where two places fit a path', () => {
  const claims = { a: { b: { roles: [STAFF] }, 'b.roles': [STAFF] } }
  expect(read(claims, 'a.b.roles')).toBe('ambiguous')
  expect(readTextClaim({ a: { b: { id: 'one' } }, 'a.b': { id: 'two' } }, 'a.b.id')).toBeNull()
})

test.each<[string, unknown]>([
  ['a list in place of an object', [{ roles: [STAFF] }]],
  ['a text in place of an object', STAFF],
  ['nothing', undefined],
  ['an object that lacks it', { Roles: [STAFF] }],
  ['null', { roles: null }],
])('reads a path over %s as absent', (_what, held) => {
  expect(read({ realm_access: held }, 'realm_access.roles')).toBe('absent')
})

test.each([
  ['{"__proto__":{"roles":["staff"]}}', '__proto__.roles'],
  ['{"a":{"__proto__":["staff"]}}', 'a.__proto__'],
  ['{"__proto__":["staff"]}', '__proto__'],
  ['{"constructor":{"name":"staff"}}', 'constructor.name'],
  ['{"a":{"prototype":{"x":"staff"}}}', 'a.prototype.x'],
  ['{"a":{}}', 'a.constructor.name'],
  ['{"a":"text"}', 'a.length'],
  ['{"a":["staff"]}', 'a.0'],
])('never walks over what objects inherit: %s', (claims, name) => {
  const values = [STAFF, 'Object', '4']
  expect(read(parsed(claims), name, values)).toBe('absent')
  expect(readTextClaim(parsed(claims) as Record<string, unknown>, name)).toBeNull()
})

describe('a text alone', () => {
  test.each(['staffer', 'Staff', 'x,staff', 'x\tstaff', 'x;staff', ' ', ''])('%j is no match', (roles) => {
    expect(read({ roles }, 'roles')).toBe('no-match')
  })

  test('stays whole where a configured value has a space', () => {
    const values = ['Console Staff', STAFF]
    expect(read({ roles: 'Console Staff' }, 'roles', values)).toBe('match')
    expect(read({ roles: 'Wallet staff' }, 'roles', values)).toBe('no-match')
  })
})

test('never divides the items of a list', () => {
  expect(read({ roles: [`wallet ${STAFF}`] }, 'roles')).toBe('no-match')
})

test('denies a claim that is too large', () => {
  expect(read({ roles: [...Array.from({ length: 5_000 }, String), STAFF] }, 'roles')).toBe('too-large')
  expect(read({ roles: `${'x'.repeat(70_000)} ${STAFF}` }, 'roles')).toBe('too-large')
  expect(read({ roles: [...Array.from({ length: 900 }, () => crypto.randomUUID()), STAFF] }, 'roles')).toBe('match')
})

test('recognizes a path whose beginning the provider left out', () => {
  expect(read({ _claim_names: { realm_access: 'src1' } }, 'realm_access.roles')).toBe('overage')
})

test.each([
  [{ app: { id: 'person-1' } }, 'person-1'],
  [{ app: { id: 'two words' } }, 'two words'],
  [{ app: { id: '' } }, null],
  [{ app: { id: 7 } }, null],
  [{ app: { id: ['person-1'] } }, null],
  [{ app: { id: 'x'.repeat(256) } }, null],
  [{}, null],
])('reads the user id of %j', (claims, id) => {
  expect(readTextClaim(claims, 'app.id')).toBe(id)
})
