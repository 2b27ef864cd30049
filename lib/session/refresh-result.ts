import 'server-only'
import type { TokenPair } from './vault.ts'

export type RefreshResult =
  | { readonly kind: 'refreshed'; readonly tokens: TokenPair }
  /** The provider said that this refresh token is dead. */
  | { readonly kind: 'over' }
  /** A refusal that says nothing about the token: the session lives as long as its access token does. */
  | { readonly kind: 'refused' }
  /** An outage: it ends nothing. */
  | { readonly kind: 'unavailable' }
