import { type Scope, scopes } from '#lib/contract/scopes.ts'

export interface Role {
  readonly scopes: readonly Scope[]
  /** Other people's transactions too. */
  readonly seesAllTransactions?: true
  readonly disputeAdmin?: true
  readonly merchantAdmin?: true
  readonly seesAllUsers?: true
  /** The `groups` claim; wallet holders have none. */
  readonly groups?: readonly string[]
}

const OPERATORS = 'console-operators'

const roles = {
  HOLDER: {
    scopes: [
      'core:transactions:create',
      'core:transactions:read',
      'core:cards:read',
      'core:cards:activate',
      'core:cards:freeze',
      'core:cards:limits',
      'core:disputes:read',
      'core:disputes:message',
    ],
  },
  SUPPORT: {
    scopes: [
      'core:transactions:read',
      'core:transactions:confirm',
      'core:cards:create',
      'core:cards:manage',
      'core:cards:read',
      'core:merchant_terminals:read',
      'core:merchant_terminals:create',
      'core:merchant_terminals:disable',
      'core:disputes:read',
    ],
    seesAllTransactions: true,
    merchantAdmin: true,
    seesAllUsers: true,
    groups: [OPERATORS],
  },
  DISPUTE_ADMIN: {
    scopes: ['core:disputes:read', 'core:disputes:message', 'core:disputes:resolve', 'core:transactions:read'],
    seesAllTransactions: true,
    disputeAdmin: true,
    seesAllUsers: true,
    groups: [OPERATORS],
  },
  ADMIN: {
    scopes,
    seesAllTransactions: true,
    disputeAdmin: true,
    merchantAdmin: true,
    seesAllUsers: true,
    groups: [OPERATORS, 'console-admins'],
  },
  VIEWER: {
    scopes: scopes.filter((scope) => scope.endsWith(':read')),
    seesAllTransactions: true,
    seesAllUsers: true,
    groups: ['console-viewers'],
  },
} as const satisfies Record<string, Role>

export type RoleName = keyof typeof roles

const isRoleName = (name: string): name is RoleName => Object.hasOwn(roles, name)

export function rolesOf(stored: string): { readonly names: readonly RoleName[]; readonly roles: readonly Role[] } {
  const names = stored.split(',').filter(isRoleName)
  return { names, roles: names.map((name) => roles[name]) }
}

export const scopesOf = (held: readonly Role[]): readonly Scope[] =>
  scopes.filter((scope) => held.some((role) => role.scopes.includes(scope)))

export const groupsOf = (held: readonly Role[]): readonly string[] => [
  ...new Set(held.flatMap(({ groups }) => groups ?? [])),
]
