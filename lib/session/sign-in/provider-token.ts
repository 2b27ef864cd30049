import 'server-only'
import { type JWTVerifyResult, jwtVerify } from 'jose'
import { config } from '#lib/config/config.ts'
import { identityProvider } from './identity-provider.ts'
import { KeysUnavailable, providerKey } from './provider-keys.ts'

/**
 * Verifies a token that the identity provider signed for this console: signature, issuer, audience and times. Throws
 * KeysUnavailable when nobody can tell, else what jose throws.
 */
export async function verifyFromProvider(compact: string): Promise<JWTVerifyResult> {
  const provider = await identityProvider().catch((error: unknown) => {
    throw new KeysUnavailable(error)
  })
  return await jwtVerify(compact, providerKey, {
    issuer: provider.issuer,
    audience: config().sso.clientId,
    algorithms: signingAlgorithms(provider.id_token_signing_alg_values_supported),
  })
}

/** Public-key signatures that discovery names for ID tokens; RS256 where it names none. Never `none`, never a shared secret. */
function signingAlgorithms(named: readonly string[] = ['RS256']): string[] {
  return named.filter((algorithm) => /^(?:(?:RS|PS|ES)(?:256|384|512)|EdDSA|Ed25519)$/.test(algorithm))
}
