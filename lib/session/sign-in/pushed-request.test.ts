import pino from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { putPerProcess } from '#lib/config/per-process.ts'
import { configureForTest } from '#lib/testing/test-console.ts'
import { TokenEndpoint } from '#lib/testing/token-endpoint.ts'
import { discoverProvider } from './identity-provider.ts'
import { pushRequest } from './pushed-request.ts'

const FIELDS = { scope: 'openid', state: 'canary-state', code_challenge: 'canary-challenge', response_type: 'code' }

let provider: TokenEndpoint
let printed: string[]

beforeAll(async () => {
  provider = await TokenEndpoint.start()
})
afterAll(() => provider.stop())

beforeEach(() => {
  provider.reset()
  provider.discovery = { authorization_endpoint: `${provider.issuer}/auth?tenant=1` }
  configureForTest({ OIDC_ISSUER: provider.issuer })
  printed = []
  putPerProcess('log', pino({}, { write: (line: string) => void printed.push(line) }))
})

async function push() {
  const address = new URL(
    `${provider.issuer}/auth?tenant=1&${new URLSearchParams({ client_id: 'operator-console', ...FIELDS })}`,
  )
  const pushed = await pushRequest(await discoverProvider(), address)
  expect(printed.join('')).not.toContain('canary')
  return pushed instanceof URL ? pushed.href : pushed.cause
}

test('leaves only the request’s name in the address', async () => {
  provider.client = { id: 'operator-console', secret: 'sandbox-console-secret', decodes: true }
  expect(await push()).toBe(`${provider.issuer}/auth?tenant=1&client_id=operator-console&request_uri=urn%3Arequest%3A1`)
  expect(provider.received.map(({ path }) => path)).toEqual(['/idp/par'])
  expect(Object.fromEntries(provider.received[0]?.form ?? [])).toMatchObject({
    client_id: 'operator-console',
    ...FIELDS,
  })
})

const refusal = (error: string, status = 400) => ({
  status,
  body: JSON.stringify({ error, error_description: 'canary' }),
})

test.each([
  ['pushed-request-unreachable', () => set({ pushed: { status: 503 } })],
  ['pushed-request-unreachable', () => unreachable('http://127.0.0.1:9/par')],
  ['discovery-invalid', () => unreachable(undefined)],
  ['discovery-invalid', () => unreachable('canary')],
  ['client-authentication', () => set({ client: { id: 'x', secret: 'x', decodes: true } })],
  ['client-authentication', () => set({ pushed: { status: 401, body: '<html>' } })],
  ['scope', () => set({ pushed: refusal('invalid_scope') })],
  ['resource', () => set({ pushed: refusal('invalid_target') })],
  ['pushed-request-refused', () => set({ pushed: refusal('canary_error') })],
  ['pushed-request-refused', () => set({ pushed: { status: 201, body: '<html>canary' } })],
  ['pushed-request-refused', () => set({ pushed: { status: 201, body: '{"request_uri":7}' } })],
  ['pushed-request-refused', () => set({ pushed: { status: 302, headers: { location: 'https://canary.example' } } })],
] as const)('fails with the cause %s', async (cause, spoil) => {
  spoil()
  expect(await push()).toBe(cause)
})

const set = (change: Partial<TokenEndpoint>) => Object.assign(provider, change)
const unreachable = (endpoint: string | undefined) =>
  set({ discovery: { ...provider.discovery, pushed_authorization_request_endpoint: endpoint } })
