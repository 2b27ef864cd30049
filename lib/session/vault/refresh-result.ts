import 'server-only'
import type { OAuthError } from '#lib/session/sign-in/failure.ts'
import { isTemporary } from '#lib/session/sign-in/identity-provider.ts'
import type { TokenPair } from './box.ts'

/** What came of asking for new tokens, once. */
export type RefreshResult =
  | {
      readonly kind: 'refreshed'
      readonly tokens: TokenPair
      /** As it came, unverified. */
      readonly idToken?: string | undefined
    }
  | NotRefreshed

export interface NotRefreshed {
  /**
   * `over`: the refresh token is dead. `refused`: says nothing about the token, so the session lives as long as its access token.
   * `unavailable`: an outage, which ends nothing.
   */
  readonly kind: 'over' | 'refused' | 'unavailable'
  /** HTTP status of the answer; 0 when none came. */
  readonly status: number
  readonly oauthError?: OAuthError | undefined
}

/** What an answer means that neither carries tokens nor says that the refresh token is dead. */
export function withoutTokens(status: number, error?: OAuthError): NotRefreshed {
  const isRefused = status >= 400 && status < 500 && !isTemporary(status)
  return { kind: isRefused ? 'refused' : 'unavailable', status, oauthError: error }
}
