import 'server-only'
import { createHash } from 'node:crypto'
import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  type JWTVerifyResult,
  jwtVerify,
  type RemoteJWKSet,
} from 'jose'
import type { AuthorizationServer } from 'oauth4webapi'
import { z } from 'zod'
import { config, idTokenAlgs } from '#lib/config/config.ts'
import { peekPerProcess, putPerProcess } from '#lib/config/per-process.ts'
import { fetchByExchange, identityProvider } from './identity-provider.ts'

export const CLOCK_TOLERANCE_SECONDS = 120

/** Safe to log: contains nothing of the token. */
export type TokenFault =
  /** The token may be valid. */
  | 'keys-unreachable'
  | 'key-unknown'
  | 'algorithm'
  | 'signature'
  | 'not-a-token'
  | 'issuer'
  /** `aud` or `azp` is not this client. */
  | 'audience'
  /** `exp`, `iat` or `nbf`. */
  | 'clock'
  /** A required claim is absent or has the wrong type. */
  | 'claims'
  | 'nonce'
  | 'access-token-hash'

interface Refused {
  readonly ok: false
  readonly why: TokenFault
}

export type Verified = ({ readonly ok: true } & Pick<JWTVerifyResult, 'payload' | 'protectedHeader'>) | Refused

export type VerifiedIdToken = { readonly ok: true; readonly claims: IdTokenClaims } | Refused

export type IdTokenClaims = JWTPayload & { readonly sub: string }

const idTokenClaims = z.looseObject({ sub: z.string().min(1), iat: z.number(), azp: z.string().optional() })

interface IdTokenChecks {
  /** Undefined for a refreshed token (OpenID Connect Core, section 12.2). */
  readonly nonce: string | undefined
  readonly accessToken: string
}

/** OpenID Connect Core, sections 3.1.3.7 and 3.1.3.8. */
export async function verifyIdToken(idToken: string, { nonce, accessToken }: IdTokenChecks): Promise<VerifiedIdToken> {
  const options = { requiredClaims: ['iss', 'sub', 'aud', 'exp', 'iat'] }
  let verified = await verifyFromProvider(idToken, options)
  // It came from the token endpoint, so no stranger can cause these reads. A new key may have the id of the old one.
  const isKeyOld = !verified.ok && (verified.why === 'key-unknown' || verified.why === 'signature')
  if (isKeyOld && (await reloadKeys())) verified = await verifyFromProvider(idToken, options)
  if (!verified.ok) return verified
  const { payload, protectedHeader } = verified
  const read = idTokenClaims.safeParse(payload)
  if (!read.success) return { ok: false, why: 'claims' }
  const { sub, iat, azp } = read.data
  if (iat > Date.now() / 1000 + CLOCK_TOLERANCE_SECONDS) return { ok: false, why: 'clock' }
  const isForSeveral = Array.isArray(payload.aud) && payload.aud.length > 1
  if ((azp ?? (isForSeveral ? null : config().sso.clientId)) !== config().sso.clientId)
    return { ok: false, why: 'audience' }
  if (nonce !== undefined && payload.nonce !== nonce) return { ok: false, why: 'nonce' }
  if (payload.at_hash !== undefined && payload.at_hash !== hashOf(accessToken, protectedHeader.alg)) {
    return { ok: false, why: 'access-token-hash' }
  }
  return { ok: true, claims: { ...payload, sub } }
}

/** `at_hash`: left half of the hash of the token's algorithm. Ed25519 uses SHA-512. */
function hashOf(text: string, alg: string): string {
  const hash = createHash(alg.startsWith('Ed') ? 'sha512' : `sha${alg.slice(2)}`)
    .update(text)
    .digest()
  return hash.subarray(0, hash.length / 2).toString('base64url')
}

export async function verifyFromProvider(compact: string, more: JWTVerifyOptions = {}): Promise<Verified> {
  try {
    const provider = await identityProvider().catch(asUnreachable)
    const options = {
      ...more,
      issuer: provider.issuer,
      audience: config().sso.clientId,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      algorithms: [...acceptedAlgorithms(provider, config().sso.idTokenAlg)],
    }
    return { ok: true, ...(await verifyWithAnyKey(compact, options)) }
  } catch (error) {
    return { ok: false, why: faultOf(error) }
  }
}

/** Some tokens name no key. */
async function verifyWithAnyKey(compact: string, options: JWTVerifyOptions): Promise<JWTVerifyResult> {
  try {
    return await jwtVerify(compact, providerKey, options)
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
    for await (const key of error) {
      try {
        return await jwtVerify(compact, key, options)
      } catch (wrong) {
        if (!(wrong instanceof errors.JWSSignatureVerificationFailed)) throw wrong
      }
    }
    throw new errors.JWSSignatureVerificationFailed(undefined, { cause: error })
  }
}

const isAsymmetric = (alg: string): boolean => idTokenAlgs.some((known) => known === alg)
const ED25519_NAMES = ['EdDSA', 'Ed25519']

/** Never HMAC: a public key could be used as a shared secret. */
export function acceptedAlgorithms(
  { id_token_signing_alg_values_supported: listed = ['RS256'] }: Pick<AuthorizationServer, ListedAlgorithms>,
  pinned: string | null,
): readonly string[] {
  const accepted = pinned === null ? listed.filter(isAsymmetric) : [pinned]
  return accepted.some((alg) => ED25519_NAMES.includes(alg)) ? [...new Set([...accepted, ...ED25519_NAMES])] : accepted
}

type ListedAlgorithms = 'id_token_signing_alg_values_supported'

class KeysUnreachable extends Error {}

const asUnreachable = (cause: unknown): never => {
  throw new KeysUnreachable('the keys of the identity provider cannot be read', { cause })
}

interface ProviderKeys {
  readonly address: string
  readonly find: RemoteJWKSet
}

/** Keys are cached for ten minutes; an unknown key id causes a new read, at most twice a minute. */
const providerKey: JWTVerifyGetKey = async (header, token) => {
  const find = await keyFinder()
  // A key may be published under one name of Ed25519 while tokens carry the other.
  const names = ED25519_NAMES.includes(header.alg) ? [header.alg, ...ED25519_NAMES] : [header.alg]
  let missing: unknown
  for (const alg of new Set(names)) {
    try {
      return await find({ ...header, alg }, token)
    } catch (error) {
      if (error instanceof errors.JWKSMultipleMatchingKeys || error instanceof errors.JOSENotSupported) throw error
      if (!(error instanceof errors.JWKSNoMatchingKey)) return asUnreachable(error)
      missing ??= error
    }
  }
  throw missing
}

async function keyFinder(): Promise<RemoteJWKSet> {
  const { jwks_uri: address } = await identityProvider()
  if (address === undefined || !URL.canParse(address)) return asUnreachable('discovery names none')
  const known = peekPerProcess<ProviderKeys>('provider keys')
  if (known?.address === address) return known.find
  const find = createRemoteJWKSet(new URL(address), { [customFetch]: fetchByExchange })
  putPerProcess('provider keys', { address, find } satisfies ProviderKeys)
  return find
}

const reloadKeys = async (): Promise<boolean> => {
  try {
    await (await keyFinder()).reload()
    return true
  } catch {
    return false
  }
}

function faultOf(error: unknown): TokenFault {
  if (error instanceof KeysUnreachable) return 'keys-unreachable'
  if (error instanceof errors.JWKSNoMatchingKey) return 'key-unknown'
  if (error instanceof errors.JOSEAlgNotAllowed || error instanceof errors.JOSENotSupported) return 'algorithm'
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'signature'
  if (error instanceof errors.JWTExpired) return 'clock'
  if (!(error instanceof errors.JWTClaimValidationFailed)) return 'not-a-token'
  if (error.reason !== 'check_failed') return 'claims'
  if (error.claim === 'iss') return 'issuer'
  return error.claim === 'aud' ? 'audience' : 'clock'
}
