import 'server-only'
import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose'
import { peekPerProcess, putPerProcess } from '#lib/config/per-process.ts'
import { fetchByExchange, identityProvider } from './identity-provider.ts'

/** The identity provider's keys cannot be had right now; that says nothing about a token. */
export class KeysUnavailable extends Error {
  constructor(cause: unknown) {
    super('the identity provider’s keys cannot be fetched', { cause })
    this.name = 'KeysUnavailable'
  }
}

interface ProviderKeys {
  readonly address: string
  readonly find: JWTVerifyGetKey
}

/**
 * The key that a token of the identity provider names. Keys are kept for ten minutes and, when a token names one that is
 * not among them, fetched anew, twice a minute at most. Throws KeysUnavailable, or what jose throws when there is no such key.
 */
export const providerKey: JWTVerifyGetKey = async (header, token) => {
  const find = await finder()
  try {
    return await find(header, token)
  } catch (error) {
    const none = error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys
    throw none || error instanceof errors.JOSENotSupported ? error : new KeysUnavailable(error)
  }
}

async function finder(): Promise<JWTVerifyGetKey> {
  const { jwks_uri: address } = await identityProvider().catch((error: unknown) => {
    throw new KeysUnavailable(error)
  })
  if (address === undefined) throw new KeysUnavailable('discovery names none')
  const known = peekPerProcess<ProviderKeys>('provider keys')
  if (known?.address === address) return known.find
  const find = createRemoteJWKSet(new URL(address), { [customFetch]: fetchByExchange })
  putPerProcess('provider keys', { address, find } satisfies ProviderKeys)
  return find
}
