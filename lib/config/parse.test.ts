import { describe, expect, test } from 'vitest'
import { testEnvironment } from '#lib/testing/test-console.ts'
import { parseConfig } from './parse.ts'
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
    ['CORE_API_URL', 'ftp://core', 'must be an http or https address'],
    ['CORE_API_URL', 'http://core.bank.example', 'must be https'],
    ['OIDC_ISSUER', undefined, 'is missing'],
    ['OIDC_CLIENT_AUTH', 'none', 'must be basic or post'],
    ['PASSWORD_SIGN_IN', 'yes', 'must be on or off'],
    ['DATABASE_URL', 'mysql://x', 'must start with file: or postgres://'],
    ['PORT', 'http', 'must be a whole number'],
    ['PORT', '70000', 'must be from 1 to 65535'],
    ['SESSION_MAX_HOURS', '13', 'must be from 1 to 12'],
    ['STEP_UP_EXTRA', 'deposit.conform', 'must name changes: deposit.confirm'],
    // It brings a code of its own, and a code works once.
    ['STEP_UP_EXTRA', 'totp.remove', 'must name changes: deposit.confirm'],
  ])('%s = %j', (variable, value, why) => {
    expect(faults({ [variable]: value })).toHaveLength(1)
    expect(faults({ [variable]: value })[0]).toMatch(new RegExp(`^${variable} ${why}`))
  })
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
})
