import { describe, expect, test } from 'vitest'
import { testEnvironment } from '#lib/testing/test-console.ts'
import { parseConfig } from './config.ts'
import { withSandboxDefaults } from './sandbox-defaults.ts'

const faults = (change: Readonly<Record<string, string | undefined>>) => {
  const parsed = parseConfig({ ...testEnvironment, ...change })
  return parsed.ok ? [] : parsed.faults.map(({ variable, why }) => `${variable} ${why}`)
}

const deployed = {
  NEXTAUTH_URL: 'https://console.bank.example',
  CORE_API_URL: 'https://core.bank.example',
  OIDC_ISSUER: 'https://sso.bank.example',
  OIDC_CLIENT_SECRET: 'one of our own, made for this console',
  DATABASE_URL: 'postgres://console@db/console',
}

describe('what is wrong is named', () => {
  test.each([
    ['NEXTAUTH_URL', undefined, 'is missing'],
    ['NEXTAUTH_URL', '', 'is missing'],
    ['NEXTAUTH_URL', 'http://localhost:3000/console', 'must be an origin'],
    ['NEXTAUTH_URL', ' https://console.bank.example', 'must not begin with a space'],
    ['NEXTAUTH_URL', 'localhost', 'must be an http or https address'],
    ['NEXTAUTH_SECRET', 'short', 'must have at least 32 characters'],
    ['SESSION_KEY', undefined, 'is missing'],
    ['SESSION_KEY', '1:c2hvcnQ=', 'must be VERSION:BASE64'],
    ['SESSION_KEY', Buffer.alloc(32).toString('base64'), 'must be VERSION:BASE64'],
    [
      'SESSION_KEY',
      `1:${Buffer.alloc(32, 1).toString('base64')},1:${Buffer.alloc(32, 2).toString('base64')}`,
      'has the same version twice',
    ],
    ['AUDIT_KEY', 'c2hvcnQ=', 'must be base64 of at least 32 bytes'],
    ['LOG_KEY', 'c2hvcnQ=', 'must be base64 of 32 bytes'],
    ['LOG_KEY', `${Buffer.alloc(32).toString('base64')},c2hvcnQ=`, 'must be base64 of 32 bytes'],
    [
      'LOG_KEY',
      `${Buffer.alloc(32).toString('base64')},${Buffer.alloc(32).toString('base64')}`,
      'has the same key twice',
    ],
    ['LOG_ORIGIN', 'a log', 'must have neither spaces nor +'],
    ['AUDIT_SINK', 'syslog:514', 'must be an http or https address'],
    ['AUDIT_SINK', 'http://siem.bank.example/log', 'must be https'],
    ['AUDIT_SINK', 'HTTP://siem.bank.example/log', 'must be https'],
    ['AUDIT_SINK', 'https://console:secret@siem.bank.example', 'must have no user name and password'],
    ['AUDIT_SINK', 'file:log.jsonl', 'must name a file with its absolute path'],
    ['AUDIT_SINK', 'file:/srv/log/', 'must name a file with its absolute path'],
    ['AUDIT_SINK_TOKEN', 'a token', 'must have no spaces'],
    ['AUDIT_SINK_TOKEN', 'a-token', 'needs AUDIT_SINK with an https address'],
    ['CORE_API_URL', 'ftp://core', 'must be an http or https address'],
    ['CORE_API_URL', 'http://core.bank.example', 'must be https'],
    ['CORE_WS_URL', 'core', 'must be an http or https address'],
    ['CORE_WS_URL', 'ws://core.bank.example', 'must be https'],
    ['OIDC_ISSUER', undefined, 'is missing'],
    ['OIDC_CLIENT_AUTH', 'none', 'must be client_secret_basic, client_secret_post or private_key_jwt'],
    ['OIDC_ID_TOKEN_ALG', 'none', 'must be one of RS256'],
    ['OIDC_ID_TOKEN_ALG', 'HS256', 'must be one of RS256'],
    ['OIDC_USERINFO_MINUTES', '0', 'must be from 1 to 60'],
    ['PASSWORD_SIGN_IN', 'yes', 'must be on or off'],
    ['COMPRESS', 'brotli', 'must be on or off'],
    ['CONNECTIONS_MAX', '9', 'must be from 10 to 100000'],
    ['KEEP_ALIVE_SECONDS', '0', 'must be from 1 to 3600'],
    ['METRICS_PORT', '3000', 'must differ from PORT'],
    ['METRICS_TOKEN', 'short', 'must have at least 32 characters'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318', 'must be an http or https address'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://collector:4318/?tenant=1', 'must have no query and no fragment'],
    ['OIDC_SCOPE', 'profile email offline_access', 'must have the scope openid'],
    ['DRAIN_SECONDS', '61', 'must be from 0 to 60'],
    ['STAFF_CLAIM', 'groups', 'must be NAME=VALUE'],
    ['STAFF_CLAIM', '=console-operators', 'must be NAME=VALUE'],
    ['STAFF_CLAIM', 'groups=', 'must be NAME=VALUE'],
    ['STAFF_CLAIM', 'groups=a,,b', 'must be NAME=VALUE'],
    ['STAFF_CLAIM', 'a.__proto__.b=x', 'must not contain __proto__'],
    ['STAFF_ADMIN_CLAIM', 'constructor=x', 'must not contain __proto__'],
    ['STAFF_CLAIM', `${'a.'.repeat(16)}b=x`, 'must have at most 16 parts'],
    ['OIDC_USER_ID_CLAIM', 'a.prototype', 'must not contain __proto__'],
    ['STAFF_SCOPES', 'core:transactions:confirn', 'must name scopes: core:transactions:create'],
    ['STAFF_SCOPES', 'core:cards:create,', 'must name scopes'],
    ['STAFF_SCOPES', 'transactions:confirm', 'must name scopes'],
    ['STAFF_ADMIN_CLAIM', 'groups', 'must be NAME=VALUE'],
    ['STAFF_ADMIN_SCOPES', 'core:everything', 'must name scopes'],
    ['DATABASE_URL', 'mysql://x', 'must start with file: or postgres://'],
    ['DATABASE_URL', 'postgres://console:pass#word@db/console', 'is not an address'],
    ['DATABASE_URL', 'postgresql://console:pass/word@db/console', 'is not an address'],
    ['DATABASE_URL', 'postgres://console:12#34@db/console', 'is not an address'],
    ['DATABASE_URL', 'postgres://console:12/34@db/console', 'is not an address'],
    ['DATABASE_URL', 'postgres://console:12?34@db/console', 'is not an address'],
    ['CORE_API_URL', 'https://core.bank.example/?tenant=1', 'must have no query and no fragment'],
    ['OIDC_ISSUER', 'https://sso.bank.example/#realm', 'must have no query and no fragment'],
    ['PORT', 'http', 'must be a whole number'],
    ['PORT', '70000', 'must be from 1 to 65535'],
    ['SESSION_MAX_HOURS', '13', 'must be from 1 to 12'],
    ['DISPUTE_TARGET_HOURS', '0', 'must be from 1 to 8760'],
    ['DISPUTE_TARGET_HOURS', '1.5', 'must be a whole number'],
    ['DISPUTE_TARGET_CALENDAR', 'Mo-Fr 8-17', 'must be such as “Mon-Fri 08:00-17:00 except 2026-12-25,2026-12-26”'],
    ['BUSINESS_ZONE', 'Mars/Olympus', 'must be a time zone such as America/Belize'],
    ['STEP_UP_EXTRA', 'deposit.conform', 'must name changes: deposit.confirm'],
    // It brings a code of its own, and a code works once.
    ['STEP_UP_EXTRA', 'totp.remove', 'must name changes: deposit.confirm'],
    ['ASSIGNED_CASES', 'on', 'must be open or closed'],
    ['PAYER_MEMORY', 'yes', 'must be on or off'],
  ])('%s = %j', (variable, value, why) => {
    expect(faults({ [variable]: value })).toHaveLength(1)
    expect(faults({ [variable]: value })[0]).toMatch(new RegExp(`^${variable} ${why}`))
  })
})

test.each([
  [undefined, 'http://localhost:4010'],
  ['wss://core.bank.example/live/', 'https://core.bank.example/live'],
  ['https://core.bank.example', 'https://core.bank.example'],
  ['ws://localhost:4011', 'http://localhost:4011'],
])('the real-time address %j is read as %j', (given, read) => {
  const parsed = parseConfig({ ...testEnvironment, CORE_WS_URL: given })
  expect(parsed.ok && parsed.config.coreWsUrl).toBe(read)
})

test.each([
  'postgres://console:a%23b@db:5432/console?sslmode=verify-full',
  'postgresql://console@/console?host=/run/postgresql',
  'postgres:///console?host=/run/postgresql&user=console@bank',
])('accepts the store’s address %s', (DATABASE_URL) => {
  expect(faults({ DATABASE_URL })).toEqual([])
})

test('refuses a sink’s token beside a file', () => {
  expect(faults({ AUDIT_SINK: 'file:/srv/log.jsonl', AUDIT_SINK_TOKEN: 'a-token' })).toEqual([
    'AUDIT_SINK_TOKEN needs AUDIT_SINK with an https address',
  ])
})

test('refuses metrics for other machines without a token', () => {
  const metrics = { METRICS_PORT: '9464', METRICS_HOST: '0.0.0.0' }
  const why = 'METRICS_TOKEN must be set when METRICS_HOST is not this machine'
  for (const METRICS_HOST of ['0.0.0.0', '::', '10.0.0.7', 'metrics.internal', '127.example'])
    expect(faults({ ...metrics, METRICS_HOST })).toEqual([why])
  for (const METRICS_HOST of ['', '127.0.0.1', '127.0.0.2', '::1', 'localhost'])
    expect(faults({ ...metrics, METRICS_HOST })).toEqual([])
  expect(faults({ ...metrics, METRICS_TOKEN: 'x'.repeat(32) })).toEqual([])
  expect(faults({ ...metrics, METRICS_PORT: '' })).toEqual([])
})

test.each([
  [{}, null],
  [{ AUDIT_SINK: 'file:/srv/log.jsonl' }, { kind: 'file', path: '/srv/log.jsonl' }],
  [
    { AUDIT_SINK: 'https://siem.bank.example/in/?index=a', AUDIT_SINK_TOKEN: 't' },
    { kind: 'http', url: new URL('https://siem.bank.example/in/?index=a'), token: 't' },
  ],
  [{ AUDIT_SINK: 'http://localhost:9/' }, { kind: 'http', url: new URL('http://localhost:9/'), token: null }],
])('reads the sink of %j', (change, sink) => {
  const parsed = parseConfig({ ...testEnvironment, ...change })
  expect(parsed.ok && parsed.config.auditSink).toEqual(sink)
})

test('a claim that tells staff is divided at its first equals sign', () => {
  const parsed = parseConfig({ ...testEnvironment, STAFF_CLAIM: 'https://x.example/groups = a=b , c' })
  expect(parsed.ok && parsed.config.staffClaim).toEqual({ name: 'https://x.example/groups', values: ['a=b', 'c'] })
})

test('without a claim, the scopes that change what is not one’s own tell staff', () => {
  const parsed = parseConfig({ ...testEnvironment, STAFF_CLAIM: undefined })
  expect(parsed.ok && parsed.config.staffClaim).toBeNull()
  expect(parsed.ok && [...parsed.config.staffScopes].sort()).toEqual([
    'core:cards:create',
    'core:cards:manage',
    'core:disputes:resolve',
    'core:merchant_terminals:create',
    'core:merchant_terminals:disable',
    'core:transactions:confirm',
  ])
})

describe('a console that others reach', () => {
  test('starts with everything of its own', () => {
    expect(faults(deployed)).toEqual([])
  })

  test('refuses plain http, example secrets and the embedded database', () => {
    expect(faults({ ...deployed, NEXTAUTH_URL: 'http://console.bank.example' })).toEqual([
      expect.stringContaining('NEXTAUTH_URL must be https'),
    ])
    expect(faults({ ...deployed, OIDC_CLIENT_SECRET: 'sandbox-console-secret' })).toEqual([
      expect.stringContaining('OIDC_CLIENT_SECRET is an example'),
    ])
    expect(faults({ ...deployed, DATABASE_URL: 'file:./data' })).toEqual([expect.stringContaining('DATABASE_URL')])
    expect(faults({ ...deployed, DATABASE_URL: 'file:./data', ALLOW_EMBEDDED: 'on' })).toEqual([])
  })
})

describe('sandbox defaults', () => {
  test('make a bare environment whole but for the secrets', () => {
    const { environment, sandbox } = withSandboxDefaults({})
    expect(sandbox).toBe(true)
    const parsed = parseConfig({ ...testEnvironment, ...environment })
    expect(parsed.ok && parsed.config.passwordSignIn).toBe(true)
    expect(parsed.ok && parsed.config.staffClaim?.values).toEqual(['console-operators', 'console-viewers'])
  })

  test.each(['CORE_API_URL', 'OIDC_ISSUER', 'OIDC_CLIENT_SECRET'])('are all off when %s is set', (variable) => {
    const { environment, sandbox } = withSandboxDefaults({ [variable]: 'https://x.example' })
    expect(sandbox).toBe(false)
    expect(Object.keys(environment).sort()).toEqual([variable, 'PORT'].sort())
  })

  test('follow the ports', () => {
    const { environment } = withSandboxDefaults({ PORT: '3100', SANDBOX_PORT: '4100' })
    expect(environment).toMatchObject({
      NEXTAUTH_URL: 'http://localhost:3100',
      CORE_API_URL: 'http://localhost:4100',
      OIDC_ISSUER: 'http://localhost:4100/idp',
    })
  })

  test('follow the sandbox’s address and secret', () => {
    const own = { SANDBOX_URL: 'http://127.0.0.1:4010', SANDBOX_CONSOLE_SECRET: 'one of our own' }
    expect(withSandboxDefaults(own).environment).toMatchObject({
      CORE_API_URL: 'http://localhost:4010',
      OIDC_ISSUER: 'http://127.0.0.1:4010/idp',
      OIDC_CLIENT_SECRET: 'one of our own',
    })
  })
})

test('a password is no way in where the provider has to say how people signed in', () => {
  for (const variables of [{ OIDC_ACR_VALUES: 'urn:a' }, { OIDC_AMR_VALUES: 'otp' }]) {
    expect(faults({ ...variables, PASSWORD_SIGN_IN: 'on' })).toEqual([
      expect.stringContaining('PASSWORD_SIGN_IN must be off'),
    ])
    expect(faults(variables)).toEqual([])
  }
})

test.each([
  ['client_secret_basic', 'basic'],
  ['client_secret_post', 'post'],
  ['post', 'post'],
])('reads OIDC_CLIENT_AUTH %s as %s', (named, method) => {
  const parsed = parseConfig({ ...testEnvironment, OIDC_CLIENT_AUTH: named })
  expect(parsed.ok && parsed.config.sso.clientAuth).toBe(method)
})

test('leaves offline_access out of the scope on request', () => {
  const scopeWith = (change: Readonly<Record<string, string>>) => {
    const parsed = parseConfig({ ...testEnvironment, ...change })
    return parsed.ok ? parsed.config.sso.scope : parsed.faults
  }
  expect(scopeWith({})).toBe('openid profile email offline_access')
  expect(scopeWith({ OIDC_OFFLINE_ACCESS: 'off' })).toBe('openid profile email')
  expect(scopeWith({ OIDC_OFFLINE_ACCESS: 'off', OIDC_SCOPE: 'openid  offline_access core' })).toBe('openid core')
  expect(faults({ OIDC_OFFLINE_ACCESS: 'no' })).toEqual(['OIDC_OFFLINE_ACCESS must be on or off'])
})

test('nobody administers unless it is said who', () => {
  const parsed = parseConfig(testEnvironment)
  expect(parsed.ok && parsed.config).toMatchObject({ adminClaim: null, adminScopes: [] })
})
