import { expect, test } from 'vitest'
import { configureForTest } from '#lib/testing/test-console.ts'
import { callHeaders, fileHeaders, pageHeaders, plainHeaders } from './security-headers.ts'

const AWAY = {
  NEXTAUTH_URL: 'https://console.example',
  OIDC_ISSUER: 'https://login.example/realms/staff',
  OIDC_CLIENT_SECRET: 'not an example',
  DATABASE_URL: 'postgres://db/console',
}

const policyOf = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    headers['content-security-policy']!.split('; ').map((part) => {
      const [name = '', ...values] = part.split(' ')
      return [name, values.join(' ')]
    }),
  )

test('the policy lets scripts run by nonce alone, and forms go to the console alone', () => {
  expect(policyOf(pageHeaders(configureForTest(AWAY), 'abc'))).toEqual({
    'default-src': "'self'",
    'report-uri': '/api/csp-report',
    'script-src': "'nonce-abc' 'strict-dynamic'",
    'style-src': "'self' 'unsafe-inline'",
    'img-src': "'self' data:",
    'font-src': "'self'",
    'connect-src': "'self'",
    'object-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'self'",
    'frame-ancestors': "'none'",
  })
})

test('what is no page of the frame runs no script at all, in development neither', () => {
  for (const NODE_ENV of ['production', 'development']) {
    const config = configureForTest({ ...AWAY, NODE_ENV })
    for (const headers of [plainHeaders(config), callHeaders(config)]) {
      expect(policyOf(headers)).toEqual({ ...policyOf(pageHeaders(config, '')), 'script-src': "'none'" })
    }
  }
})

test('development tools may evaluate text as code; production may not', () => {
  const development = pageHeaders(configureForTest({ ...AWAY, NODE_ENV: 'development' }), 'abc')
  expect(policyOf(development)['script-src']).toContain("'unsafe-eval'")
})

test('what is made for a request is kept by nobody; a file says nothing of the kind', () => {
  const config = configureForTest(AWAY)
  expect(pageHeaders(config, 'abc')).toMatchObject({ 'cache-control': 'no-store', ...fileHeaders(config) })
  expect(callHeaders(config)).toMatchObject({ 'cache-control': 'no-store, no-transform' })
  expect(fileHeaders(config)).not.toHaveProperty('cache-control')
})

test.each([
  ['https://console.example', true],
  ['https://localhost', false],
  ['http://localhost:3000', false],
])('%s asks browsers to stay on https: %s', (baseUrl, asks) => {
  const headers = fileHeaders(configureForTest({ ...AWAY, NEXTAUTH_URL: baseUrl }))
  expect('strict-transport-security' in headers).toBe(asks)
})
