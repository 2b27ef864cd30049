import 'server-only'
import { createHash, createPrivateKey, type JsonWebKey, type KeyObject, X509Certificate } from 'node:crypto'
import { z } from 'zod'
import { CLOSED, readClosedFile } from './closed-file.ts'

export interface ClientKey {
  readonly key: KeyObject
  /** The usual one first. */
  readonly algs: readonly [string, ...string[]]
  /** Header fields: `kid`, or thumbprints of a certificate. */
  readonly names: Readonly<Record<string, string>>
}

const FILE_MAX_CHARS = 64_000
const RSA_MIN_BITS = 2048
const KINDS = 'must be RSA of at least 2048 bits, EC P-256, P-384 or P-521, or Ed25519'
const NO_KEY = 'names a file without a private key: PEM without a passphrase, or a JWK'

export const clientKeyFile = z.string().transform((path, context): ClientKey => {
  const text = readClosedFile(path, CLOSED.toReaders, context)
  if (text === null) return z.NEVER
  const read = readClientKey(text)
  if (typeof read !== 'string') return read
  context.addIssue(read)
  return z.NEVER
})

/** A text says what is wrong. */
export function readClientKey(text: string): ClientKey | string {
  if (text.length > FILE_MAX_CHARS) return `is longer than ${FILE_MAX_CHARS} characters`
  let jwk: JsonWebKey | null
  let key: KeyObject
  let certificate: X509Certificate | null
  try {
    jwk = text.trimStart().startsWith('{') ? (JSON.parse(text) as JsonWebKey) : null
    key = createPrivateKey(jwk === null ? text : { key: jwk, format: 'jwk' })
    certificate = text.includes('BEGIN CERTIFICATE') ? new X509Certificate(certificateIn(text)) : null
  } catch {
    return NO_KEY
  }
  const fitting = algsOf(key, certificate !== null)
  if (fitting === null) return KINDS
  if (certificate !== null && !certificate.checkPrivateKey(key)) return 'has a certificate of another key'
  const algs = typeof jwk?.alg === 'string' ? fitting.filter((alg) => alg === jwk.alg) : fitting
  const [first, ...others] = algs
  if (first === undefined) return 'has an alg that does not fit its key'
  return { key, algs: [first, ...others], names: namesOf(jwk, certificate) }
}

const certificateIn = (text: string): string =>
  /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/.exec(text)?.[0] ?? ''

const CURVES: Readonly<Record<string, string>> = { prime256v1: 'ES256', secp384r1: 'ES384', secp521r1: 'ES512' }

/** Entra ID, which asks for certificates, wants PS256. */
function algsOf({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject, isCertified: boolean) {
  if (type === 'ed25519') return ['EdDSA', 'Ed25519']
  if (type === 'ec') {
    const alg = CURVES[details?.namedCurve ?? '']
    return alg === undefined ? null : [alg]
  }
  if (type !== 'rsa' || (details?.modulusLength ?? 0) < RSA_MIN_BITS) return null
  const [usual, other] = isCertified ? (['PS', 'RS'] as const) : (['RS', 'PS'] as const)
  return [usual, other].flatMap((name) => [`${name}256`, `${name}384`, `${name}512`])
}

function namesOf(jwk: JsonWebKey | null, certificate: X509Certificate | null): Readonly<Record<string, string>> {
  const thumbprint = (hash: string) =>
    createHash(hash)
      .update(certificate?.raw ?? '')
      .digest('base64url')
  return {
    ...(typeof jwk?.kid === 'string' ? { kid: jwk.kid } : {}),
    ...(certificate === null ? {} : { x5t: thumbprint('sha1'), 'x5t#S256': thumbprint('sha256') }),
  }
}
