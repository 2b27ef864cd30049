export const scopes = [
  'core:transactions:create',
  'core:transactions:confirm',
  'core:transactions:read',
  'core:cards:read',
  'core:cards:create',
  'core:cards:activate',
  'core:cards:freeze',
  'core:cards:limits',
  'core:cards:manage',
  'core:disputes:read',
  'core:disputes:message',
  'core:disputes:resolve',
  'core:merchant_terminals:read',
  'core:merchant_terminals:create',
  'core:merchant_terminals:disable',
] as const

export type Scope = (typeof scopes)[number]

/** The scopes endpoint lists scopes without the prefix. */
export const withPrefix = (listed: string): string => `core:${listed}`
