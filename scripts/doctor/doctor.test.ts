import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { putPerProcess } from '#lib/config/per-process.ts'
import { open } from '#lib/database/open.ts'
import { postgresDatabaseUrl } from '#lib/database/test-database.ts'
import { freePort } from '#lib/database/test-postgres.ts'
import { redeemCode, refreshWithSso, revokeWithSso } from '#lib/session/vault/tokens.ts'
import { migrate } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { configureForTest } from '#lib/testing/test-console.ts'
import { TokenEndpoint } from '#lib/testing/token-endpoint.ts'
import { type Fault, faults, note } from './faults.ts'
import { lookAtProvider } from './identity-provider.ts'
import { lookAtAll } from './look.ts'
import { authority, expired, ofAnotherName } from './test-certificates.ts'

const SECRETS = [
  'a-secret-of-the-handshake-0123456789',
  'a-secret-of-the-client',
  'a-password-of-the-store',
  'a-token-of-the-sink',
]
const KEY = Buffer.alloc(32, 7).toString('base64')

const servers: Server[] = []
/** Serves on a free port; answers the address. */
function serve(listener: RequestListener, certificate?: { readonly cert: string; readonly key: string }) {
  const server = certificate === undefined ? createServer(listener) : createSecureServer(certificate, listener)
  servers.push(server)
  return new Promise<string>((done) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      done(`${certificate === undefined ? 'http' : 'https'}://localhost:${port}`)
    })
  })
}

interface Provider {
  readonly discovery?: Readonly<Record<string, unknown>>
  readonly secret?: string
  readonly keys?: string
}

/** An identity provider that fits, but for what is changed. */
const serveProvider = ({
  discovery = {},
  secret = SECRETS[1],
  keys = '{"keys":[{}]}',
}: Provider = {}): Promise<string> =>
  serve((request, response) => {
    const issuer = `http://${request.headers.host}`
    if (request.url === '/token') {
      const given = Buffer.from(request.headers.authorization?.slice(6) ?? '', 'base64').toString()
      const known = given === `console:${secret}`
      response.writeHead(known ? 400 : 401, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: known ? 'invalid_grant' : 'invalid_client' }))
      return
    }
    if (request.url === '/keys') return void response.end(keys)
    const document = {
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      code_challenge_methods_supported: ['S256'],
      id_token_signing_alg_values_supported: ['RS256'],
      scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
      claims_supported: ['sub', 'groups'],
      backchannel_logout_supported: true,
      ...discovery,
    }
    response.end(JSON.stringify(document))
  })

/** A service that wants a token everywhere; `ahead`: how far its clock is. */
const serveService = (ahead = 0, status = 401): Promise<string> =>
  serve((_request, response) => {
    response.writeHead(status, { date: new Date(Date.now() + ahead * 1000).toUTCString() }).end()
  })

let storeUrl = ''
let right: Record<string, string> = {}

beforeAll(async () => {
  storeUrl = await postgresDatabaseUrl()
  const { db, close } = await open<Tables>(storeUrl)
  await migrate(db)
  await close()
  const [core, issuer] = await Promise.all([serveService(), serveProvider()])
  right = {
    NEXTAUTH_SECRET: SECRETS[0] ?? '',
    SESSION_KEY: `1:${KEY}`,
    AUDIT_KEY: KEY,
    LOG_KEY: KEY,
    CORE_API_URL: core,
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: 'console',
    OIDC_CLIENT_SECRET: SECRETS[1] ?? '',
    STAFF_CLAIM: 'groups=staff',
    DATABASE_URL: storeUrl,
  }
  right.PORT = String(await freePort())
  right.NEXTAUTH_URL = `http://localhost:${right.PORT}`
})

afterAll(() => {
  for (const server of servers) server.close()
})

/** What the doctor finds wrong with a change to what is right; never with a secret in its words. */
async function wrongWith(change: Readonly<Record<string, string>>): Promise<readonly (Fault | null)[]> {
  const findings = await lookAtAll({ ...right, ...change })
  const words = JSON.stringify(findings)
  for (const secret of [...SECRETS, KEY]) expect(words).not.toContain(secret)
  for (const { fault, what } of findings) if (fault !== null) expect(what).toContain(faults[fault][0])
  return findings.filter(({ level }) => level === 'wrong').map(({ fault }) => fault)
}

/** A change to the store, taken back when `work` is done. */
async function withStore(change: string, back: string, work: () => Promise<void>): Promise<void> {
  const { db, close } = await open<Tables>(storeUrl)
  try {
    await sql.raw(change).execute(db)
    await work()
  } finally {
    await sql.raw(back).execute(db)
    await close()
  }
}

test('a deployment that is right has nothing wrong', async () => {
  expect(await wrongWith({})).toEqual([])
})

test('variables that are missing, wrong or examples are named', async () => {
  const findings = await lookAtAll({
    ...right,
    NEXTAUTH_URL: 'https://console.example',
    OIDC_CLIENT_SECRET: 'change-me',
  })
  expect(findings.map(({ what }) => what)).toEqual([expect.stringMatching(/OIDC_CLIENT_SECRET .*is an example/)])
  expect(await wrongWith({ AUDIT_KEY: '' })).toEqual(['variable'])
})

test('an address whose name is unknown, where nothing listens, or that is something else, is named', async () => {
  expect(await wrongWith({ CORE_API_URL: 'https://no-such-host.invalid' })).toEqual(['name-unknown', 'name-unknown'])
  expect(await wrongWith({ CORE_API_URL: right.NEXTAUTH_URL ?? '' })).toEqual(['refused', 'refused'])
  expect(await wrongWith({ CORE_API_URL: await serveService(0, 404), CORE_WS_URL: right.CORE_API_URL ?? '' })).toEqual([
    'not-the-service',
  ])
  expect(await wrongWith({ CORE_WS_URL: await serveService(0, 404) })).toEqual(['no-hub'])
  expect(await wrongWith({ OIDC_ISSUER: right.CORE_API_URL ?? '' })).toEqual(['not-a-provider'])
})

test('a certificate that has expired, is for another name or of an unknown authority is named', async () => {
  const listener: RequestListener = (_request, response) => response.writeHead(401).end()
  const [old, other] = [await serve(listener, expired), await serve(listener, ofAnotherName)]
  expect(await wrongWith({ CORE_API_URL: other })).toEqual(['certificate-authority', 'certificate-authority'])
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, authority])
  try {
    expect(await wrongWith({ CORE_API_URL: old })).toEqual(['certificate-expired', 'certificate-expired'])
    expect(await wrongWith({ CORE_API_URL: other })).toEqual(['certificate-name', 'certificate-name'])
  } finally {
    setDefaultCACertificates(before)
  }
})

test('a sink that cannot be written or refuses the token is named', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'doctor-sink-'))
  const file = join(folder, 'log.jsonl')
  expect(await wrongWith({ AUDIT_SINK: `file:${file}` })).toEqual([])
  expect(existsSync(file)).toBe(false)
  mkdirSync(file)
  expect(await wrongWith({ AUDIT_SINK: `file:${file}` })).toEqual(['sink-file'])
  expect(await wrongWith({ AUDIT_SINK: `file:${folder}/none/log.jsonl` })).toEqual(['sink-file'])
  rmSync(folder, { recursive: true })

  const requests: (string | undefined)[] = []
  const url = await serve(({ method, headers }, response) => {
    requests.push(`${method} ${headers.authorization} ${headers['content-length']}`)
    response.writeHead(headers.authorization === `Bearer ${SECRETS[3]}` ? 400 : 403).end()
  })
  expect(await wrongWith({ AUDIT_SINK: url, AUDIT_SINK_TOKEN: SECRETS[3] ?? '' })).toEqual([])
  expect(await wrongWith({ AUDIT_SINK: url })).toEqual(['sink-refuses'])
  expect(requests).toEqual([`POST Bearer ${SECRETS[3]} 0`, 'POST undefined 0'])
  expect(await wrongWith({ AUDIT_SINK: 'https://no-such-host.invalid/log' })).toEqual(['name-unknown'])
})

test('a service whose clock differs by more than half a minute is named, and by less it is not', async () => {
  expect(await wrongWith({ CORE_API_URL: await serveService(90) })).toEqual(['clock'])
  expect(await wrongWith({ CORE_API_URL: await serveService(10) })).toEqual([])
})

test.each<[Fault, Provider]>([
  ['issuer', { discovery: { issuer: 'https://sso.example' } }],
  ['endpoint', { discovery: { jwks_uri: undefined } }],
  ['endpoint', { discovery: { require_pushed_authorization_requests: true } }],
  ['pkce', { discovery: { code_challenge_methods_supported: ['plain'] } }],
  ['algorithms', { discovery: { id_token_signing_alg_values_supported: ['HS256'] } }],
  ['keys', { keys: '{"keys":[]}' }],
  ['keys', { keys: '<html>' }],
  ['client', { secret: 'another' }],
])('of an identity provider, what does not fit is named: %s', async (fault, provider) => {
  expect(await wrongWith({ OIDC_ISSUER: await serveProvider(provider) })).toEqual([fault])
})

test.each(['RS256', 'RS384', 'PS256', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'])(
  'accepts a provider that signs with %s alone',
  async (alg) => {
    const discovery = { id_token_signing_alg_values_supported: ['HS256', alg] }
    expect(await wrongWith({ OIDC_ISSUER: await serveProvider({ discovery }) })).toEqual([])
  },
)

test('notes a pinned algorithm that the provider does not list', async () => {
  const issuer = await serveProvider({ discovery: { id_token_signing_alg_values_supported: ['HS256'] } })
  const findings = await lookAtAll({ ...right, OIDC_ISSUER: issuer, OIDC_ID_TOKEN_ALG: 'ES256' })
  expect(findings.filter(({ level }) => level === 'wrong')).toEqual([])
  expect(findings.map(({ fault }) => fault)).toContain('algorithm-unlisted')
})

describe('client authentication', () => {
  let provider: TokenEndpoint
  beforeAll(async () => {
    provider = await TokenEndpoint.start()
  })
  afterAll(() => provider.stop())

  test.each([
    ['a-b_c.d~e', {}, undefined],
    ['a:b+c/d=e%f g é', {}, undefined],
    ['a-b c', { OIDC_CLIENT_AUTH: 'post' }, undefined],
    ['a-b c', {}, ['client_secret_post']],
  ])('sends %j alike from sign-in, renewal, revocation and doctor', async (secret, change, listed) => {
    provider.reset()
    provider.discovery = { token_endpoint_auth_methods_supported: listed }
    provider.client = { id: 'operator-console', secret, decodes: true }
    const config = configureForTest({ OIDC_ISSUER: provider.issuer, OIDC_CLIENT_SECRET: secret, ...change })
    putPerProcess('identity provider', undefined)
    await redeemCode({ code: 'code', state: 's' }, { state: 's', nonce: 'n', verifier: 'v' }, 'http://localhost:3000/')
    await refreshWithSso('refresh')
    await revokeWithSso('refresh')
    const findings = await lookAtProvider(config)
    expect(findings.map(({ fault }) => fault)).not.toContain('client')
    const sent = provider.received.map(({ basic, form }) => [basic, form.get('client_id'), form.get('client_secret')])
    expect(sent).toHaveLength(4)
    expect(new Set(sent.map((one) => JSON.stringify(one))).size).toBe(1)
  })
})

test('sends no secret to a provider that names another issuer', async () => {
  const requests: unknown[] = []
  const token_endpoint = await serve((request, response) => {
    requests.push(request.headers.authorization)
    response.writeHead(400).end()
  })
  const issuer = await serveProvider({ discovery: { issuer: 'https://sso.example', token_endpoint } })
  expect([await wrongWith({ OIDC_ISSUER: issuer }), requests]).toEqual([['issuer'], []])
})

test('names a userinfo endpoint that the periodic check lacks', async () => {
  expect(await wrongWith({ OIDC_USERINFO_MINUTES: '5' })).toEqual(['endpoint'])
})

test('notes what Entra ID, Okta and others do not list', async () => {
  const issuer = await serveProvider({
    discovery: {
      claims_supported: ['sub'],
      backchannel_logout_supported: false,
      code_challenge_methods_supported: undefined,
      scopes_supported: ['openid'],
    },
  })
  const findings = await lookAtAll({ ...right, OIDC_ISSUER: issuer })
  expect(findings.filter(({ level }) => level === 'wrong')).toEqual([])
  expect(findings.filter(({ level }) => level === 'note').map(({ fault }) => fault)).toEqual(
    expect.arrayContaining(['claim', 'back-channel', 'pkce-unlisted', 'scopes']),
  )
})

test('finds a path in the claims that a provider lists', async () => {
  const issuer = await serveProvider({ discovery: { claims_supported: ['sub', 'realm_access'] } })
  const findings = await lookAtAll({ ...right, OIDC_ISSUER: issuer, STAFF_CLAIM: 'realm_access.roles=staff' })
  expect(findings.map(({ fault }) => fault)).not.toContain('claim')
})

test('reads discovery as a sign-in does', async () => {
  expect(await wrongWith({ OIDC_ISSUER: await serveProvider({ discovery: { issuer: 7 } }) })).toEqual(['issuer'])
  let reads = 0
  const failing = await serve(({ headers: { host } }, response) => {
    reads += 1
    const issuer = `http://${host}`
    if (reads > 1) response.writeHead(503).end()
    else response.end(JSON.stringify({ issuer, authorization_endpoint: issuer, token_endpoint: issuer }))
  })
  expect(await wrongWith({ OIDC_ISSUER: failing })).toEqual(['endpoint', 'discovery'])
  const slashed = await serve((request, response) => {
    const issuer = `http://${request.headers.host}`
    const document = { issuer: `${issuer}/`, authorization_endpoint: issuer, token_endpoint: issuer, jwks_uri: issuer }
    if (request.url?.includes('.well-known')) response.end(JSON.stringify(document))
    else response.writeHead(request.method === 'POST' ? 400 : 200).end('{"keys":[{}]}')
  })
  expect(await wrongWith({ OIDC_ISSUER: slashed })).toEqual([])
  expect(await wrongWith({ OIDC_ISSUER: `${slashed}/` })).toEqual([])
})

test('a store that is not there or does not let its user do what migrations do is named', async () => {
  const at = new URL(storeUrl)
  expect(await wrongWith({ DATABASE_URL: `postgres://u:${SECRETS[2]}@localhost:9/x` })).toEqual(['refused'])
  expect(await wrongWith({ DATABASE_URL: storeUrl.replace(at.pathname, '/no_such_database') })).toEqual([
    'store-missing',
  ])
  expect(await wrongWith({ DATABASE_URL: `postgres://u:${SECRETS[2]}#@localhost:9/x` })).toEqual(['variable'])
  const reader = `reader_${process.pid}`
  await withStore(`CREATE ROLE ${reader} LOGIN`, `DROP ROLE ${reader}`, async () => {
    at.username = reader
    expect(await wrongWith({ DATABASE_URL: at.href })).toEqual(['store-rights'])
  })
})

test('names a store of another build and an unguarded journal', async () => {
  await withStore(
    `INSERT INTO kysely_migration (name, timestamp) VALUES ('9999-of-a-newer-build', '')`,
    `DELETE FROM kysely_migration WHERE name = '9999-of-a-newer-build'`,
    async () => expect(await wrongWith({})).toEqual(['store-foreign']),
  )
  for (const guard of [
    'command_event append_only',
    'command_event erase_only',
    'approval erase_only',
    'audit_entry kept',
  ]) {
    const [table, trigger] = guard.split(' ')
    await withStore(
      `ALTER TABLE ${table} DISABLE TRIGGER ${trigger}`,
      `ALTER TABLE ${table} ENABLE TRIGGER ${trigger}`,
      async () => expect([guard, await wrongWith({})]).toEqual([guard, ['store-guard']]),
    )
  }
})

test('a folder of data that others can read, a taken port and an address of something else are named', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'console-doctor-'))
  chmodSync(folder, 0o755)
  expect(await wrongWith({ DATABASE_URL: `file:${folder}` })).toEqual(['folder'])
  rmSync(folder, { recursive: true })
  const other = await serveService(0, 404)
  expect(await wrongWith({ PORT: new URL(other).port })).toEqual(['port'])
  expect(await wrongWith({ NEXTAUTH_URL: other })).toEqual(['other-console'])
})

test('names a policy file that others can write', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'console-doctor-'))
  const file = join(folder, 'policy.json')
  writeFileSync(file, '{ "rules": [] }')
  chmodSync(file, 0o664)
  const findings = await lookAtAll({ POLICY_FILE: file })
  const about = findings.find(({ what }) => what.includes('POLICY_FILE'))
  expect([about?.level, about?.what]).toEqual(['wrong', expect.stringContaining('others can write (mode 0664)')])
  rmSync(folder, { recursive: true })
})

test('notes rules that nobody known could satisfy', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'console-doctor-'))
  const file = join(folder, 'policy.json')
  writeFileSync(file, '{ "rules": [{ "kind": "card.issue", "approval": { "by": 2 } }] }', { mode: 0o600 })
  const findings = await lookAtAll({ ...right, POLICY_FILE: file })
  expect(findings.filter(({ what }) => what.startsWith('POLICY_FILE'))).toEqual([
    note('POLICY_FILE, rule 1 (card.issue): nobody with the scope signed in within the last 30 days; 2 are needed.'),
  ])
  rmSync(folder, { recursive: true })
})

test('an address that leads to a console of another name, or to something that is like one, is named', async () => {
  const serveConsole = (location: string | undefined): Promise<string> =>
    serve(({ url }, response) => {
      if (url === '/api/health') response.end('{"status":"ok"}')
      else response.writeHead(location === undefined ? 200 : 307, location === undefined ? {} : { location }).end()
    })
  expect(await wrongWith({ NEXTAUTH_URL: await serveConsole('/sign-in?to=%2Factivity') })).toEqual([])
  const other = await serveConsole('https://other.example/sign-in?to=%2Factivity')
  const findings = await lookAtAll({ ...right, NEXTAUTH_URL: other })
  expect(findings.filter(({ level }) => level === 'wrong').map(({ what }) => what)).toEqual([
    'NEXTAUTH_URL leads to a console that has another NEXTAUTH_URL: https://other.example.',
  ])
  expect(await wrongWith({ NEXTAUTH_URL: await serveConsole(undefined) })).toEqual(['other-console'])
})
