import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { configureForTest } from '#lib/testing/test-console.ts'
import { lookAtProvider } from './identity-provider.ts'

const CERTIFICATE = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost'

function ownCertificate() {
  const folder = mkdtempSync(join(tmpdir(), 'doctor-tls-'))
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const args = [
    ...CERTIFICATE.split(' '),
    '-addext',
    'subjectAltName=DNS:localhost',
    '-keyout',
    keyFile,
    '-out',
    certFile,
  ]
  execFileSync('openssl', args, { stdio: 'pipe' })
  const made = { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(certFile, 'utf8') }
  rmSync(folder, { recursive: true })
  return made
}

test('sends no secret to a token endpoint without TLS', async () => {
  const requests: unknown[] = []
  const plain = createServer((request, response) => {
    requests.push(request.headers.authorization)
    response.writeHead(400).end()
  })
  await new Promise<void>((done) => plain.listen(0, '127.0.0.1', done))
  const certificate = ownCertificate()
  const secure = createSecureServer(certificate, ({ headers: { host } }, response) => {
    const issuer = `https://${host}`
    const token_endpoint = `http://localhost:${(plain.address() as AddressInfo).port}/token`
    const places = { authorization_endpoint: `${issuer}/auth`, token_endpoint, jwks_uri: `${issuer}/keys` }
    response.end(JSON.stringify({ issuer, ...places, keys: [{}] }))
  })
  await new Promise<void>((done) => secure.listen(0, '127.0.0.1', done))
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, certificate.cert])
  onTestFinished(() => {
    setDefaultCACertificates(before)
    for (const server of [plain, secure]) server.close()
  })
  const OIDC_ISSUER = `https://localhost:${(secure.address() as AddressInfo).port}`
  const findings = await lookAtProvider(configureForTest({ OIDC_ISSUER }))
  expect([findings.flatMap(({ level, fault }) => (level === 'wrong' ? fault : [])), requests]).toEqual([
    ['endpoint'],
    [],
  ])
})
