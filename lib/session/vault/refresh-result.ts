import 'server-only'
import type { OAuthError } from '#lib/session/sign-in/failure.ts'
import { isTemporary } from '#lib/session/sign-in/identity-provider.ts'
import type { TokenPair } from './box.ts'

export type RefreshResult =
  | {
      readonly kind: 'refreshed'
      readonly tokens: TokenPair
      /** Not verified. */
      readonly idToken?: string | undefined
    }
  | NotRefreshed

export interface NotRefreshed {
  /**
   * `over`: the refresh token is dead. `refused`: it may be valid; the session lives as long as its access token.
   * `unavailable`: an outage.
   */
  readonly kind: 'over' | 'refused' | 'unavailable'
  /** HTTP status; 0 without an answer. */
  readonly status: number
  readonly oauthError?: OAuthError | undefined
}

export function withoutTokens(status: number, error?: OAuthError): NotRefreshed {
  const isRefused = status >= 400 && status < 500 && !isTemporary(status)
  return { kind: isRefused ? 'refused' : 'unavailable', status, oauthError: error }
}
