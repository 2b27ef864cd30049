import 'server-only'
import type { TokenPair } from './box.ts'

/** What came of asking for new tokens, once. */
export type RefreshResult =
  | {
      readonly kind: 'refreshed'
      readonly tokens: TokenPair
      /** As it came, unverified. */
      readonly idToken?: string | undefined
    }
  /** The provider said that this refresh token is dead. */
  | { readonly kind: 'over' }
  /** A refusal that says nothing about the token: the session lives as long as its access token does. */
  | { readonly kind: 'refused' }
  /** An outage: it ends nothing. */
  | { readonly kind: 'unavailable' }

/** The 4xx that mean "not now". */
const LATER = new Set([408, 425, 429])

/** What an answer means that neither carries tokens nor says that the refresh token is dead; 0 when none came. */
export function withoutTokens(status: number): RefreshResult {
  return { kind: status >= 400 && status < 500 && !LATER.has(status) ? 'refused' : 'unavailable' }
}
