import { execFileSync } from 'node:child_process'
import { createHash, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { testEnvironment } from '#lib/testing/test-console.ts'
import { readClientKey } from './client-key.ts'
import { parseConfig } from './config.ts'

const folder = mkdtempSync(join(tmpdir(), 'console-key-'))
afterAll(() => rmSync(folder, { recursive: true }))

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
const ec = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve }).privateKey
const pem = (key: KeyObject) => String(key.export({ type: 'pkcs8', format: 'pem' }))
const jwk = (key: KeyObject, more: object = {}) => JSON.stringify({ ...key.export({ format: 'jwk' }), ...more })

/** What is wrong, or the first algorithm. */
const read = (text: string) => {
  const key = readClientKey(text)
  return typeof key === 'string' ? key : key.algs[0]
}

test.each([
  ['RSA', pem(rsa), 'RS256'],
  ['RSA in its older form', String(rsa.export({ type: 'pkcs1', format: 'pem' })), 'RS256'],
  ['P-256', pem(ec('P-256')), 'ES256'],
  ['P-384', pem(ec('P-384')), 'ES384'],
  ['P-521', pem(ec('P-521')), 'ES512'],
  ['Ed25519', pem(generateKeyPairSync('ed25519').privateKey), 'EdDSA'],
  ['a JWK', jwk(rsa), 'RS256'],
  ['a JWK with its algorithm', jwk(rsa, { alg: 'PS384' }), 'PS384'],
])('reads a key: %s', (_what, text, alg) => {
  expect(read(text)).toBe(alg)
})

test.each([
  ['nothing', '', /without a private key/],
  ['a text', 'canary', /without a private key/],
  ['broken JSON', '{"canary', /without a private key/],
  ['a public key', jwk(rsa).replace(/"d":"[^"]+",?/, ''), /without a private key/],
  ['a shared secret', '{"kty":"oct","k":"Y2FuYXJ5"}', /without a private key/],
  [
    'a passphrase',
    String(rsa.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'canary' })),
    /without a passphrase/,
  ],
  ['a short RSA key', pem(generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey), /at least 2048 bits/],
  ['another curve', pem(ec('secp256k1')), /P-256, P-384 or P-521/],
  ['a key for encryption', pem(generateKeyPairSync('x25519').privateKey), /or Ed25519/],
  ['an algorithm of another key', jwk(rsa, { alg: 'ES256' }), /alg that does not fit/],
  ['HMAC', jwk(rsa, { alg: 'HS256' }), /alg that does not fit/],
  ['a file that is too long', `${pem(rsa)}${' '.repeat(70_000)}`, /longer than/],
])('refuses %s, and shows nothing of it', (_what, text, why) => {
  expect(read(text)).toMatch(why)
  expect(read(text)).not.toMatch(/canary/)
})

test('names its key by a certificate, for Entra ID', () => {
  const [keyFile, certificateFile] = [join(folder, 'own.pem'), join(folder, 'own.crt')]
  writeFileSync(keyFile, pem(rsa))
  const subject = ['-subj', '/CN=console', '-days', '1', '-key', keyFile, '-out', certificateFile]
  execFileSync('openssl', ['req', '-x509', '-new', ...subject], { stdio: 'pipe' })
  const certificate = String(execFileSync('openssl', ['x509', '-in', certificateFile]))
  const key = readClientKey(pem(rsa) + certificate)
  const { raw } = new X509Certificate(certificate)
  expect(key).toMatchObject({
    algs: ['PS256', 'PS384', 'PS512', 'RS256', 'RS384', 'RS512'],
    names: {
      x5t: createHash('sha1').update(raw).digest('base64url'),
      'x5t#S256': createHash('sha256').update(raw).digest('base64url'),
    },
  })
  expect(read(pem(ec('P-256')) + certificate)).toMatch(/certificate of another key/)
})

describe('a console with private_key_jwt', () => {
  const faults = (change: Readonly<Record<string, string>>) => {
    const parsed = parseConfig({ ...testEnvironment, OIDC_CLIENT_SECRET: '', ...change })
    return parsed.ok ? [] : parsed.faults.map(({ variable, why }) => `${variable} ${why}`)
  }
  const OIDC_CLIENT_AUTH = 'private_key_jwt'
  const file = join(folder, 'client.pem')
  const write = (mode: number) => {
    writeFileSync(file, pem(rsa))
    chmodSync(file, mode)
    return file
  }

  test.each([0o600, 0o400, 0o640])('starts with a closed key file and no secret, mode %o', (mode) => {
    expect(faults({ OIDC_CLIENT_AUTH, OIDC_CLIENT_KEY_FILE: write(mode) })).toEqual([])
  })

  test.each([0o644, 0o660, 0o604, 0o602])('refuses a key file that others can open, mode %o', (mode) => {
    const [fault] = faults({ OIDC_CLIENT_AUTH, OIDC_CLIENT_KEY_FILE: write(mode) })
    expect(fault).toMatch(/^OIDC_CLIENT_KEY_FILE names a file that others can read or write \(mode 0.*chmod g-w,o-rwx/)
  })

  test('names what is missing or does not fit', () => {
    const OIDC_CLIENT_KEY_FILE = write(0o600)
    expect(faults({ OIDC_CLIENT_AUTH })).toEqual(['OIDC_CLIENT_KEY_FILE is missing'])
    expect(faults({})).toEqual(['OIDC_CLIENT_SECRET is missing'])
    expect(faults({ PORT: 'x' })).toEqual(['PORT must be a whole number', 'OIDC_CLIENT_SECRET is missing'])
    expect(faults({ OIDC_CLIENT_SECRET: 'secret', OIDC_CLIENT_KEY_FILE })).toEqual([
      'OIDC_CLIENT_KEY_FILE needs OIDC_CLIENT_AUTH=private_key_jwt',
    ])
    expect(faults({ OIDC_CLIENT_AUTH, OIDC_CLIENT_KEY_FILE: join(folder, 'none') })).toEqual([
      'OIDC_CLIENT_KEY_FILE cannot be read: ENOENT',
    ])
    expect(faults({ OIDC_CLIENT_AUTH, OIDC_CLIENT_KEY_FILE, OIDC_CLIENT_ASSERTION_AUD: 'x' })).toEqual([
      'OIDC_CLIENT_ASSERTION_AUD must be issuer or endpoint',
    ])
  })
})
